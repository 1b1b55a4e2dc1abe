/** `bench list`: tasks and algorithms, and whether the data are here. */
import type { Command } from 'commander';
import { isNull } from '../bench/nulls/index.js';
import { builtIn } from '../bench/registry.js';
import { dataFolderPath, examineFiles } from '../data/dataFolder.js';
import { tasks } from '../tasks/index.js';
import { palette } from './palette.js';
import { printJson } from './printJson.js';
import { writeOut } from './screen.js';
import { gridLines } from './textLayout.js';

/** What `bench list --json` prints. */
export interface BenchListDocument extends Listed {
  readonly benchVersion: 1;
}

export function addList(bench: Command): void {
  bench
    .command('list')
    .description('list tasks and algorithms, and whether the data are here')
    .option('--json', 'print one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const listed = await listAll();
      if (json) printJson({ benchVersion: 1, ...listed } satisfies BenchListDocument);
      else writeOut(printList(listed));
    });
}

interface Listed {
  readonly tasks: readonly {
    id: string;
    title: string;
    paper: string | null;
    isHere: boolean;
    isForTuning: boolean;
  }[];
  readonly algorithms: readonly {
    id: string;
    version: string;
    presets: readonly string[];
    isNull: boolean;
  }[];
}

async function listAll(): Promise<Listed> {
  const needed = [...new Set(tasks.flatMap(({ datasets }) => datasets))];
  const files = await examineFiles(dataFolderPath(), needed);
  const missing = new Set(files.filter(({ state }) => state !== 'right').map(({ dataset }) => dataset));
  return {
    tasks: tasks.map(({ id, title, isForTuning, datasets }) => ({
      id,
      title,
      paper: builtIn.paperNameOf(id),
      isHere: !datasets.some((dataset) => missing.has(dataset)),
      isForTuning,
    })),
    algorithms: [...builtIn.algorithms].map(([id, { version }]) => ({
      id,
      version,
      presets: builtIn.presetNames(id),
      isNull: isNull(id),
    })),
  };
}

function printList(listed: Listed): string {
  const { dim } = palette(process.stdout);
  const yes = (is: boolean) => (is ? 'yes' : 'no');
  return `${[
    ...gridLines(
      [
        { head: 'task', cells: listed.tasks.map(({ id }) => id) },
        { head: 'data here', cells: listed.tasks.map(({ isHere }) => yes(isHere)) },
        { head: 'for tuning', cells: listed.tasks.map(({ isForTuning }) => yes(isForTuning)) },
        { head: 'in the paper', cells: listed.tasks.map(({ paper }) => paper ?? '-') },
        { head: 'what', cells: listed.tasks.map(({ title }) => title) },
      ],
      dim,
    ),
    '',
    ...gridLines(
      [
        { head: 'algorithm', cells: listed.algorithms.map(({ id }) => id) },
        { head: 'version', cells: listed.algorithms.map(({ version }) => version) },
        { head: 'model', cells: listed.algorithms.map((row) => yes(!row.isNull)) },
        { head: 'presets', cells: listed.algorithms.map(({ presets }) => presets.join(', ')) },
      ],
      dim,
    ),
  ].join('\n')}\n`;
}
