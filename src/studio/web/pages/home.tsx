/** Drop a file, paste cells, try an example, or go back to a run. */
import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { RunSummary, TableSource } from '../../protocol/index.js';
import { useAnswer, useHost } from '../parts/hostContext.js';
import { remember } from '../parts/openedFile.js';
import { Problem, VerdictChip, Waiting } from '../parts/pieces.js';
import { addressOf, goTo } from '../parts/route.js';

const examples = [
  {
    file: 'reactor.csv',
    title: 'A stirred reactor',
    text: '240 runs with three solvents that add up to one. Which settings give a higher yield?',
  },
  {
    file: 'concrete.csv',
    title: 'A concrete mix',
    text: '420 mixtures of seven ingredients. Which one is stronger?',
  },
  {
    file: 'versuche.csv',
    title: 'A messy spreadsheet',
    text: 'A German lab book: a title above the table, commas for points, empty cells.',
  },
] as const;

export function Home() {
  const host = useHost();
  const about = useAnswer('about', (one) => one.about());
  const runs = useAnswer('runs', (one) => one.listRuns());
  const [error, setError] = useState<Error>();
  const [opening, setOpening] = useState('');
  const [isOver, setIsOver] = useState(false);
  const [isPasting, setIsPasting] = useState(false);
  const [pasted, setPasted] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const first = about.value?.open;
  useEffect(() => {
    if (first) goTo(['run', first, 'candidates']);
  }, [first]);

  const open = async (source: TableSource, name: string) => {
    setError(undefined);
    setOpening(`Reading ${name}`);
    try {
      const { id } = await host.openTable(source);
      goTo(['data', id]);
    } catch (fault) {
      setError(fault as Error);
    } finally {
      setOpening('');
    }
  };

  const openFile = async (file: File) => {
    const most = about.value?.mostBytes ?? Number.POSITIVE_INFINITY;
    if (file.size > most)
      return setError(
        new Error(
          `${file.name} has ${Math.round(file.size / 1e6)} MB; ${Math.round(most / 1e6)} MB are the most. Larger tables are for the command line: nemokit design`,
        ),
      );
    const bytes = new Uint8Array(await file.arrayBuffer());
    remember(file.name, bytes);
    if (!/\.zip$/i.test(file.name)) return open({ kind: 'bytes', name: file.name, bytes }, file.name);
    setOpening(`Reading ${file.name}`);
    try {
      const { id } = await host.addRun(bytes);
      goTo(['run', id, 'candidates']);
    } catch (fault) {
      setError(fault as Error);
    } finally {
      setOpening('');
    }
  };

  const tryExample = async (name: string) => {
    const answer = await fetch(`./examples/${name}`);
    await open({ kind: 'bytes', name, bytes: new Uint8Array(await answer.arrayBuffer()) }, name);
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) void openFile(file);
  };

  return (
    <div className="home">
      <div className="hero">
        <p className="eyebrow">Offline design of experiments</p>
        <h1>Your past experiments know which ones to run next.</h1>
        <p className="lede">
          Drop a spreadsheet of what you measured. Leave with a batch of better experiments: each with a
          chance, an interval, and how far to trust it.
          {about.value?.kind !== 'server' && ' Everything is computed in this tab; nothing is uploaded.'}
        </p>
      </div>
      <section className="open" aria-label="Open a table">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first */}
        <div
          className={`drop ${isOver ? 'over' : ''}`}
          onDragOver={(event) => {
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={drop}
        >
          {opening === '' ? (
            <>
              <p className="drop-title">Drop a table here</p>
              <p className="note">CSV, XLSX or Parquet; one row per experiment. Or the zip of a run.</p>
              <p className="actions">
                <button type="button" className="primary" onClick={() => input.current?.click()}>
                  Choose a file
                </button>
                <button type="button" aria-expanded={isPasting} onClick={() => setIsPasting(!isPasting)}>
                  Paste cells
                </button>
              </p>
              <input
                ref={input}
                type="file"
                className="hidden"
                aria-label="Table of past experiments"
                tabIndex={-1}
                onChange={({ currentTarget: { files } }) => files?.[0] && void openFile(files[0])}
              />
            </>
          ) : (
            <Waiting what={opening} />
          )}
          {isPasting && (
            <form
              className="paste"
              onSubmit={(event) => {
                event.preventDefault();
                void open({ kind: 'pasted', text: pasted }, 'the cells');
              }}
            >
              <label>
                Cells copied from a spreadsheet, with their header
                <textarea
                  rows={6}
                  value={pasted}
                  onChange={(event) => setPasted(event.currentTarget.value)}
                />
              </label>
              <button type="submit" className="primary" disabled={pasted.trim() === ''}>
                Open these cells
              </button>
            </form>
          )}
        </div>
        {error && <Problem error={error} />}
      </section>
      {about.value && about.value.tables.length > 0 && (
        <section>
          <h2>Tables in this folder</h2>
          <ul className="links">
            {about.value.tables.map((path) => (
              <li key={path}>
                <button
                  type="button"
                  className="link"
                  onClick={() => void open({ kind: 'path', path }, path)}
                >
                  {path}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Or try one of these</h2>
        <ul className="examples">
          {examples.map(({ file, title, text }) => (
            <li key={file}>
              <button type="button" onClick={() => void tryExample(file)}>
                <strong>{title}</strong>
                <span>{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <RecentRuns
        runs={runs.value ?? []}
        keeps={about.value?.keeps ?? ''}
        remove={async (id) => {
          await host.deleteRun(id).catch(setError);
          runs.again();
        }}
      />
    </div>
  );
}

const statusWords: Readonly<Record<RunSummary['status'], string>> = {
  waiting: 'waiting',
  running: 'running',
  paused: 'paused',
  interrupted: 'interrupted; can be resumed',
  partial: 'stopped early',
  done: 'done',
  failed: 'failed',
};

function RecentRuns({
  runs,
  keeps,
  remove,
}: {
  readonly runs: readonly RunSummary[];
  readonly keeps: string;
  readonly remove: (id: string) => void;
}) {
  if (runs.length === 0) return null;
  return (
    <section>
      <h2>Runs in {keeps}</h2>
      <ul className="runs">
        {runs.map((run) => (
          <li key={run.id}>
            <a href={addressOf(run.verdict ? ['run', run.id, 'candidates'] : ['run', run.id])}>
              <strong>{run.goals.join('; ') || run.id}</strong>
              <span className="note">
                {run.file}, {run.rows} rows, {run.created.slice(0, 10)}
              </span>
            </a>
            {run.verdict ? (
              <VerdictChip level={run.verdict.level} />
            ) : (
              <span className="chip">{statusWords[run.status]}</span>
            )}
            <button
              type="button"
              className="quiet"
              aria-label={`Delete the run ${run.id}`}
              onClick={() =>
                window.confirm(`Delete the run ${run.id}? This cannot be undone.`) && remove(run.id)
              }
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
