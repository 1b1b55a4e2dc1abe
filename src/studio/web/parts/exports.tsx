/** What can be taken away from a finished run. */
import type { RunFileName } from '../../protocol/index.js';
import { download } from './download.js';
import { useHost } from './hostContext.js';
import { addressOf } from './route.js';
import { toXlsx } from './xlsx.js';

export function Exports({
  id,
  setError,
}: {
  readonly id: string;
  readonly setError: (error: Error) => void;
}) {
  const host = useHost();
  const save = async (name: RunFileName, type: string) => {
    try {
      download(name, await host.runFile(id, name), type);
    } catch (fault) {
      setError(fault as Error);
    }
  };
  const saveSheet = async () => {
    try {
      const text = new TextDecoder().decode(await host.runFile(id, 'candidates.csv'));
      download(
        'candidates.xlsx',
        toXlsx(text),
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      );
    } catch (fault) {
      setError(fault as Error);
    }
  };
  const saveZip = async () => {
    try {
      download(`${id}.zip`, await host.saveRun(id), 'application/zip');
    } catch (fault) {
      setError(fault as Error);
    }
  };
  return (
    <div className="actions exports">
      <button type="button" className="primary" onClick={() => void save('candidates.csv', 'text/csv')}>
        Download CSV
      </button>
      <button type="button" onClick={() => void saveSheet()}>
        XLSX
      </button>
      <button type="button" onClick={() => void save('candidates.json', 'application/json')}>
        JSON
      </button>
      <button type="button" onClick={() => void save('report.html', 'text/html')}>
        Report
      </button>
      <button type="button" onClick={() => void saveZip()}>
        Run as zip
      </button>
      <button type="button" onClick={() => window.print()}>
        Print
      </button>
      <a className="button" href={addressOf(['run', id, 'sheets'])}>
        Bench sheets
      </a>
    </div>
  );
}
