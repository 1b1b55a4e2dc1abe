import { serve } from './share.js';

/** @type {{ onmessage: unknown, postMessage(message: unknown): void, close(): void }} */
const scope = /** @type {any} */ (globalThis);

scope.onmessage = (/** @type {{ data: Parameters<typeof serve>[0] }} */ event) => {
  serve(event.data, (message) => scope.postMessage(message));
  scope.close();
};
