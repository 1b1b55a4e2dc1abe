/** Who computes: `nemokit studio` writes "server" into the page it sends, any other host leaves "page" there. */
import type { Host } from '../../protocol/index.js';
import { openHttpHost } from './httpHost.js';
import { openPageHost } from './pageHost.js';

export function chooseHost(): Host {
  const said = document.querySelector('meta[name="nemokit-host"]')?.getAttribute('content');
  return said === 'server' ? openHttpHost() : openPageHost();
}
