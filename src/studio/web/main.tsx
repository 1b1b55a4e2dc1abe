import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { chooseHost } from './host/chooseHost.js';
import { HostContext } from './parts/hostContext.js';

const root = document.getElementById('app')!;
const host = chooseHost();
createRoot(root).render(
  <HostContext value={host}>
    <App />
  </HostContext>,
);

// Kept for days without a network; a server of its own needs no such thing.
if (
  document.querySelector('meta[name="nemokit-host"]')?.getAttribute('content') === 'page' &&
  'serviceWorker' in navigator
)
  navigator.serviceWorker.register('./offline.js').catch(() => {});
