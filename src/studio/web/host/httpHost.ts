/** The host behind HTTP: `nemokit studio`. `protocol/calls.ts` says how calls travel. */
import type { CallName, Fault, Host, RunEvent } from '../../protocol/index.js';
import { HostError } from './calls.js';

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const fault: Fault = await response.json().catch(() => ({
    name: 'Error',
    message: `the server answered ${response.status}; is nemokit studio still running?`,
  }));
  throw new HostError(fault);
}

function post(address: string, body: BodyInit, type: string): Promise<Response> {
  return fetch(`api/${address}`, { method: 'POST', body, headers: { 'content-type': type } }).then(
    checked,
    () => {
      throw new Error('the server does not answer; is nemokit studio still running?');
    },
  );
}

async function call<Name extends CallName>(
  name: Name,
  ...args: Parameters<Host[Name]>
): Promise<Awaited<ReturnType<Host[Name]>>> {
  const response = await post(name, JSON.stringify(args), 'application/json');
  const text = await response.text();
  return JSON.parse(text === '' ? 'null' : text);
}

const bytesOf = async (address: string) =>
  new Uint8Array(await (await checked(await fetch(`api/${address}`))).arrayBuffer());

export function openHttpHost(): Host {
  const at = (id: string) => `runs/${encodeURIComponent(id)}`;
  return {
    about: () => call('about'),
    async openTable(source) {
      if (source.kind !== 'bytes')
        return (await post('openTable', JSON.stringify([source]), 'application/json')).json();
      const asked = new URLSearchParams({ name: source.name, ...(source.sheet && { sheet: source.sheet }) });
      const body = new Blob([Uint8Array.from(source.bytes)]);
      return (await post(`openTable?${asked}`, body, 'application/octet-stream')).json();
    },
    table: (id) => call('table', id),
    rows: (id, from, count) => call('rows', id, from, count),
    changeTable: (id, changes) => call('changeTable', id, changes),
    state: (id, ask) => call('state', id, ask),
    startRun: (id, ask) => call('startRun', id, ask),
    pauseRun: (id) => call('pauseRun', id),
    resumeRun: (id) => call('resumeRun', id),
    stopRun: (id) => call('stopRun', id),
    watchRun(id, listen) {
      const events = new EventSource(`api/${at(id)}/events`);
      events.onmessage = ({ data }: MessageEvent<string>) => listen(JSON.parse(data) as RunEvent);
      return () => events.close();
    },
    listRuns: () => call('listRuns'),
    openRun: (id) => call('openRun', id),
    deleteRun: (id) => call('deleteRun', id),
    runFile: (id, name) => bytesOf(`${at(id)}/files/${name}`),
    saveRun: (id) => bytesOf(`${at(id)}/zip`),
    addRun: async (zip) => (await post('addRun', new Blob([Uint8Array.from(zip)]), 'application/zip')).json(),
    score: (id, rows) => call('score', id, rows),
    explain: (id, row) => call('explain', id, row),
    molecules: (id) => call('molecules', id),
    profile: (id, question) => call('profile', id, question),
    contour: (id, question) => call('contour', id, question),
    addRound: (id, measured) => call('addRound', id, measured),
    openBench: (id) => call('openBench', id),
  };
}
