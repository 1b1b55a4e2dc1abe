/** Headers of every answer: what a page of the studio may do, and who may look at it. */

/**
 * Scripts, styles and requests are the server's own; nothing is framed, and no form is sent. WebAssembly is compiled
 * (`wasm-unsafe-eval`); text never becomes code. Workers may start from a text of the page (`blob:`), as the threads of
 * the engine do.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What is not a page of the studio: JSON, tables, downloads. If a browser shows it, it runs nothing. */
export const dataPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** The page that the printed link leads to, which goes on by itself: in a sandbox it could not. */
export const linkPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The report of a run may be somebody else's: shown alone, without the rights of this address. */
export const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-modals";

export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': dataPolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // the first link has the token in its address
  'Referrer-Policy': 'no-referrer',
  // isolated from other sites, so that threads may share memory
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'Cache-Control': 'no-store',
};
