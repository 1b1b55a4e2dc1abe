// The page without a network: every file is kept on the first visit. Answers get the two headers that let workers share
// memory, so that threads compute wherever the page is hosted.
const version = 'VERSION';
const files = ['FILES'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(version)
      .then((kept) => kept.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== version).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const kept = await caches.open(version);
  const found = await kept.match(request, { ignoreSearch: true });
  const response = found ?? (await fetch(request));
  if (response.status === 0 || response.type === 'opaque') return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
