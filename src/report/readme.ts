/** README.txt of a run folder: what each file is and what to do next, in plain words. */
import type { RunDocument } from '../design/runDocument.js';
import { documentFormats, planTitle, verdictTitles } from './documentFormats.js';
import { formatInterval, formatNumber, formatPercent, formatTime } from './formats.js';
import { historySentences } from './historyWords.js';
import { count, list, sentence, wrap } from './markup.js';
import { singleText, whichRows } from './repeatedRows.js';
import { shownDocument, withheldText } from './withheld.js';

const lineWidth = 78;

const files: readonly (readonly [string, string])[] = [
  ['report.html', 'The report. Opens in any browser, without a network; prints on A4.'],
  [
    'candidates.csv',
    'The proposed rows, best first: your columns in their order and units, what to expect, the chance of beating the best past row, how far to trust it, and empty columns for what you measure. Opens in a spreadsheet.',
  ],
  [
    'candidates.json',
    'The same for programs, with all digits and all that the report shows: intervals, reasons, nearest past runs, profiles.',
  ],
  ['problem.yaml', 'What was asked, with everything that was filled in: columns, goals, constraints.'],
  ['data.parquet', 'The rows that were used, with their row numbers in your table.'],
  ['model.safetensors', 'The weights of the models.'],
  ['model.json', 'How to use the weights: columns, encodings, scales.'],
  ['manifest.json', 'Version, seed, options, checksum of your table, times and verdict.'],
  ['events.jsonl', 'What happened while it ran, one event per line.'],
];

export function renderReadme(given: RunDocument): string {
  const document = shownDocument(given);
  const { run, data, goal, candidates, plan, verdict, bestKnown } = document;
  const { objective } = documentFormats(document);
  const number = (value: number) => formatNumber(value, objective);
  const labels = goal.labels.length > 0 ? goal.labels : [goal.name];
  const first = candidates[0];
  const outcome = [
    `${plan ? planTitle : verdictTitles[verdict.level]}.`,
    oneLine(verdict.sentence),
    ...(candidates.length === 0 && !plan ? verdict.reasons.map((reason) => sentence(oneLine(reason))) : []),
    `Best known: ${oneLine(goal.name)} ${number(bestKnown.value)} (${whichRows(bestKnown.row, bestKnown.meanOf, goal, number)}). ${singleText(bestKnown, oneLine(goal.name), number)}`.trimEnd(),
    ...(first === undefined
      ? [
          plan
            ? `The plan has ${count(plan.length, 'row')}.`
            : (withheldText(document) ?? 'There are no candidates.'),
        ]
      : [
          `Candidate 1: expected ${formatNumber(first.expected, objective)}, 80 % interval ${formatInterval(first.lo80, first.hi80, objective)}, chance of beating it ${formatPercent(first.better)}, ${first.trust}.`,
        ]),
    ...(document.history ? historySentences(document.history, goal, objective).map(oneLine) : []),
  ];
  const names = goal.goals.map(({ column }) => `"${oneLine(column)}"`);
  const measured = names.length > 0 ? list(names) : `"${oneLine(goal.name)}"`;
  const table = oneLine(data.file);
  const id = oneLine(run.id ?? 'run');
  const steps = [
    'Open candidates.csv in a spreadsheet. Each row is one experiment; the settings are in the columns of your own table.',
    `Run the experiments you like${plan ? '' : ', Trusted ones first'}. Write what you measured into the empty ${names.length > 1 ? 'columns' : 'column'} ${measured}. Leave the others empty: rows without a value are ignored.`,
    'Save it as CSV, open a terminal in this folder, and design again from your table and these rows:',
  ];
  return [
    ...wrap(`${oneLine(list(labels))}: designs from ${table}`, lineWidth),
    ...wrap(
      `Run ${id}, ${run.created === undefined ? '' : `${formatTime(oneLine(run.created))}, `}nemokit ${oneLine(run.version)}, ${count(data.used, 'row')} used.`,
      lineWidth,
    ),
    '',
    ...outcome.flatMap((line) => wrap(line, lineWidth)),
    '',
    'FILES',
    '',
    ...files.flatMap(([name, text]) => wrap(text, lineWidth, name.padEnd(20))),
    '',
    ...((plan ?? candidates).length === 0
      ? []
      : [
          'WHAT TO DO WITH candidates.csv',
          '',
          ...steps.flatMap((step, i) => wrap(step, lineWidth, `${i + 1}. `)),
          '',
          `   nemokit design problem.yaml --add candidates.csv --out ${quoted(`../${id.split('/').at(-1)}-next`)}`,
          '',
          ...wrap(
            'problem.yaml holds your table as it was read, the goals and all other options. The new run is kept beside this folder.',
            lineWidth,
          ),
          '',
        ]),
    'THE SAME AGAIN',
    '',
    '   nemokit reproduce .',
    '',
    ...wrap(
      'in this folder runs it again from the files here and compares the candidates. Both commands are the same in bash, cmd and PowerShell.',
      lineWidth,
    ),
    '',
  ].join('\n');
}

/** Text of the user stays on its line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** In double quotes where it needs to be: names of run folders have neither quotes nor dollars of their own. */
function quoted(text: string): string {
  return /^[\w./:+=-]+$/.test(text) ? text : `"${text}"`;
}
