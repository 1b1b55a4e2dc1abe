// The passes of the benchmark, one after another: cheap and informative ones first, seeds in rounds. One core, lowest
// priority. What is recorded is not run again, so it can be stopped (Ctrl-C) and started as often as needed.
//   NEMOKIT_DATA=<folder> node studies/passes.mjs           all of them
//   NEMOKIT_DATA=<folder> node studies/passes.mjs --list    what they are, as commands
//   NEMOKIT_DATA=<folder> node studies/passes.mjs --only nulls,as-published --into <folder>
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: { list: { type: 'boolean' }, only: { type: 'string' }, into: { type: 'string' } },
});
const studies = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const into = flags.into ?? studies;
const nemokit = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const [ant, dkitty, molecule, superconductor, gfp, hopper] = [
  'ant-morphology-cpg-v1',
  'dkitty-morphology-cpg-v1',
  'molecule-activity-forest-v1',
  'superconductor-gbdt-v1',
  'gfp-gp-v1',
  'hopper-controller-v1',
];
const robots = [hopper, ant, dkitty];
const all = [ant, dkitty, molecule, superconductor, gfp, hopper];
const moved = ['noise@0.03', 'noise@0.1', 'noise@0.3', 'random', 'sobol'];
/** Rows of as-published whose trials take a minute or two, and the others. */
const quick = [
  'gp-ascent',
  'propen',
  'gp-bo',
  'autofocus',
  'reinforce',
  'match-opt',
  'cma-es',
  'nemo',
  'cbas',
];
const slow = ['ram', 'root', 'ensemble', 'coms', 'forward'];

/** @typedef {{ study: string, command: string[] }} Pass */

/** @param {readonly string[]} tasks @param {string} seeds @param {...string} further @returns {Pass} */
const nulls = (tasks, seeds, ...further) => ({
  study: 'nulls',
  command: [
    nemokit,
    ...['bench', 'run', '--jobs', '1', '--designs', '--task', tasks.join(',')],
    ...['--algorithm', 'nulls', '--seeds', seeds, ...further, '--out', `${into}/nulls`],
  ],
});
/** @param {string} study @param {string} file @param {readonly string[]} tasks @param {string} seeds @param {readonly string[]} rows @returns {Pass} */
const spec = (study, file, tasks, seeds, rows = []) => ({
  study,
  command: [
    nemokit,
    ...['bench', 'run', '--jobs', '1', '--designs', '--spec', `${studies}/${study}/${file}`],
    ...['--task', tasks.join(','), '--seeds', seeds],
    ...(rows.length > 0 ? ['--algorithm', rows.join(',')] : []),
    ...['--out', `${into}/${study}`],
  ],
});
/** @param {string} seeds @param {readonly string[]} rows @param {readonly string[]} tasks */
const published = (seeds, rows, tasks = all) =>
  tasks.map((task) => spec('as-published', 'spec.json', [task], seeds, rows));
/** @param {string} study @param {string} seeds @returns {Pass[]} */
const rescored = (study, seeds) =>
  /** @type {const} */ ([
    ['forest', superconductor],
    ['boosting', molecule],
    ['noisy-start', hopper],
    ['joints-inside', ant],
  ]).map(([scorer, task]) => ({
    study,
    command: [
      nemokit,
      ...['bench', 'rescore', `${into}/${study}`, '--scorer', scorer, '--task', task, '--seeds', seeds],
    ],
  }));
/** Noise as far from the data as the rows of a study. @param {string} study @param {string} seeds @param {readonly string[]} tasks */
const matched = (study, seeds, tasks) =>
  tasks.map((task) => ({
    study: 'nulls',
    command: [
      nemokit,
      ...['bench', 'run', '--jobs', '1', '--designs', '--task', task, '--seeds', seeds],
      ...['--match', `${into}/${study}`, '--out', `${into}/nulls`],
    ],
  }));
/** @param {readonly string[]} tasks @param {string} seeds */
const ablations = (tasks, seeds) => [
  spec('paper-ablations', 'effect-of-nml.json', tasks, seeds),
  ...(tasks.includes(gfp)
    ? []
    : [
        spec('paper-ablations', 'architecture.json', tasks, seeds),
        spec('paper-ablations', 'steps-ratio.json', tasks, seeds),
      ]),
];
/** @param {readonly string[]} tasks @param {string} seeds @returns {Pass[]} */
const blind = (tasks, seeds) =>
  tasks.flatMap((task) => [
    { study: 'blind', command: [`${studies}/blind/run.mjs`, '--task', task, '--into', `${into}/blind`] },
    {
      study: 'blind',
      command: [
        nemokit,
        ...['bench', 'run', '--jobs', '1', '--designs', '--spec', `${into}/blind/spec.json`],
        ...['--task', task, '--seeds', seeds, '--out', `${into}/blind`],
      ],
    },
  ]);

/** @param {readonly string[]} tasks @returns {Pass[]} */
const alongSearch = (tasks) =>
  tasks.map((task) => ({
    study: 'nml-along-search',
    command: [`${studies}/nml-along-search/run.mjs`, '--task', task, '--into', `${into}/nml-along-search`],
  }));

/** @type {Pass[]} */
const passes = [
  // what is recorded of the start needs no second trial now; its designs, for second scorers, come later
  ...robots.map((task) => ({
    study: 'nulls',
    command: [
      nemokit,
      ...['bench', 'run', '--jobs', '1', '--task', task, '--algorithm', `start,${moved.join(',')}`],
      ...['--seeds', '0', '--out', `${into}/nulls`],
    ],
  })),
  // three seeds of both decide a cell
  ...matched('paper-tasks', '0-2', [superconductor, gfp, molecule, hopper, ant, dkitty]),
  ...published('0', quick, [ant]),
  nulls([superconductor, molecule], '0'),
  ...rescored('nulls', '0').slice(0, 2),
  ...alongSearch([dkitty, molecule]),
  nulls([gfp], '0'),
  ...published('0', quick, [molecule, dkitty]),
  ...alongSearch([superconductor, gfp, hopper]),
  spec('paper-ablations', 'effect-of-nml.json', [superconductor], '0'),
  ...blind([ant], '0'),
  ...published('0', quick, [superconductor, gfp, hopper]),
  ...rescored('as-published', '0'),
  ...rescored('nulls', '0').slice(2),
  ...published('1-2', quick, [ant, molecule, dkitty]),
  ...all.map((task) => nulls([task], '0-3')),
  spec('paper-ablations', 'effect-of-nml.json', [superconductor, molecule], '0-1'),
  spec('paper-ablations', 'effect-of-nml.json', [gfp], '0'),
  ...published('0', slow, [ant, molecule, dkitty]),
  ...matched('as-published', '0-2', [ant, molecule, dkitty]),
  ...published('1-2', quick, [superconductor, gfp, hopper]),
  ...matched('as-published', '0-2', [superconductor, gfp, hopper]),
  ...published('0', slow, [superconductor, gfp, hopper]),
  ...blind([molecule, dkitty, superconductor, gfp, hopper], '0'),
  // from here on to the whole pass: 8 seeds of rows, 16 of nulls
  ...ablations([superconductor, molecule], '0-3'),
  ...ablations([gfp], '0-1'),
  ...[3, 4, 5, 6, 7].flatMap((seed) => published(`${seed}`, quick)),
  ...[1, 2, 3].flatMap((seed) => published(`${seed}`, slow)),
  ...all.flatMap((task) => [nulls([task], '0-15'), ...matched('as-published', '0-15', [task])]),
  ...matched('paper-tasks', '0-7', all),
  ...rescored('nulls', '0-15'),
  ...rescored('as-published', '0-7'),
  ...blind(all, '0-7'),
  ...[4, 5, 6, 7].flatMap((seed) => published(`${seed}`, slow)),
];

const chosen = passes.filter(
  ({ study }) => flags.only === undefined || flags.only.split(',').includes(study),
);
if (flags.list) {
  const lines = chosen.map(({ command }) => `node ${command.join(' ')}\n`.replaceAll(studies, 'studies'));
  process.stdout.write(lines.join('').replaceAll(`node ${nemokit}`, 'nemokit'));
} else {
  setPriority(constants.priority.PRIORITY_LOW);
  let isStopped = false;
  for (const [i, { command }] of chosen.entries()) {
    process.stdout.write(`\n${i + 1} of ${chosen.length}: node ${command.join(' ')}\n`);
    const child = spawn(process.execPath, command, { stdio: 'inherit' });
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      isStopped = true;
      child.kill(signal === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    const code = await new Promise((resolve) => child.on('close', resolve));
    process.off('SIGINT', stop).off('SIGTERM', stop);
    if (isStopped) {
      process.stdout.write('stopped; the same command goes on\n');
      process.exitCode = 130;
      break;
    }
    // 5: some trials failed, the others are recorded; the next pass is not concerned
    if (code !== 0) process.stdout.write(`ended with code ${code}; the next pass begins\n`);
  }
}
