/** How earlier promises turned out, in sentences for terminal and report. */
import type { GoalSummary, History } from '../design/runDocument.js';
import { formatPercent, type NumberFormat, typedNumber } from './formats.js';
import { count } from './markup.js';

type Goal = Pick<GoalSummary, 'direction' | 'name' | 'labels'>;

/** Fewer measured rows than this say nothing about how often intervals hold. */
const fewest = 5;

export function historySentences(history: History, goal: Goal, format: NumberFormat): string[] {
  const { rounds, measured, inside } = history;
  const last = rounds.at(-1)!;
  const said = [
    measured === 0
      ? `None of the ${count(last.promised, 'proposed row')} of ${last.file} has a measured value.`
      : `${inside} of ${count(measured, 'measured row')} ${inside === 1 ? 'lies' : 'lie'} inside the 80 % range that was promised (${formatPercent(inside / measured)}${rounds.length > 1 ? `, over ${rounds.length} rounds` : ''}); ${coverageText(measured, inside)}.`,
    overPromiseText(history, goal, format),
    ...rounds.map((round) => beatenText(round, rounds.length > 1, format)),
    ...rounds.map(({ file, aboutOthers }) =>
      aboutOthers === 0
        ? ''
        : `${count(aboutOthers, 'promise')} of ${file} ${aboutOthers === 1 ? 'is' : 'are'} about another goal than "${goal.labels.join('; ')}" and not compared.`,
    ),
  ];
  return said.filter((text) => text !== '');
}

/** Two standard errors of a share decide what counts as off. */
function coverageText(measured: number, inside: number): string {
  if (measured < fewest) return 'too few to judge by';
  const off = 2 * Math.sqrt((0.8 * 0.2) / measured);
  if (inside / measured < 0.8 - off) return 'at least 80 % is the aim, so the ranges were too narrow';
  return 'at least 80 % is the aim';
}

function overPromiseText({ overPromise }: History, { direction }: Goal, format: NumberFormat): string {
  if (overPromise === null) return '';
  const size = typedNumber(Math.abs(overPromise), format);
  if (Number(size) === 0) return 'On average the rows are as good as was expected.';
  const [worse, better] = direction === 'max' ? ['lower', 'higher'] : ['higher', 'lower'];
  return overPromise > 0
    ? `On average they are ${size} ${worse} than expected: that much too good was promised.`
    : `On average they are ${size} ${better} than expected: better than promised.`;
}

function beatenText(
  { file, bestBefore, beaten, rows }: History['rounds'][number],
  isNamed: boolean,
  format: NumberFormat,
): string {
  if (rows.length === 0 || bestBefore === null) return '';
  return `${isNamed ? `Of ${file}, ` : ''}${beaten} of ${rows.length} beat the best row of the time, ${typedNumber(bestBefore, format)}.`;
}
