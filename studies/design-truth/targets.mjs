// What is asked of `design` on a judging set, and what a version reached: a table made from the records.
import { readFileSync } from 'node:fs';
import { mean, median, rootKey, Stream } from '../../dist/numeric/index.js';
import {
  decimal,
  gainOf,
  gainsOf,
  isBelowRepeat,
  isWeak,
  judgedRuns,
  noiseOf,
  pairsOf,
  percent,
  promisesOf,
  shareOf,
  timesOf,
  versionsOn,
} from './figures.mjs';
import { peers } from './peers.mjs';
import { halves } from './tables.mjs';

/** Gains nearer than this are the same. */
const TIE = 1e-9;

/** The last version of `design` on the last set that any ran on. */
export function latest() {
  const half = Object.keys(halves).findLast((name) => versionsOn(name).length > 0);
  const version = half === undefined ? undefined : versionsOn(half).at(-1);
  if (half === undefined || version === undefined) throw new Error('no record of design');
  return { half, version };
}

/** One line for each target: asked, reached, and whether that is enough; null where nothing was run. @param {string} half @param {string} version */
export function targetsOf(half, version) {
  const { designs, shown } = judgedRuns(half, version);
  const strong = shown.filter((run) => !isWeak(run));
  const own = designs.filter((run) => !isWeak(run));
  const said = promisesOf(designs);
  const [over, width, held, right] = [
    said.overs.length > 0 ? median(said.overs) : Number.NaN,
    said.widths.length > 0 ? median(said.widths) : Number.NaN,
    shareOf(said.held),
    shareOf(said.right),
  ];
  const labels = said.labels.filter(({ better }) => better.length > 0);
  const isRising = labels.every(
    ({ better }, i) => i === 0 || shareOf(labels[i - 1].better) < shareOf(better),
  );
  const refused = own.map(({ verdict }) => verdict === 'unsupported');
  const noise = noiseOf(half, version).map(({ verdict }) => verdict !== 'unsupported');
  return [
    ...gainTargets(strong, own),
    target(
      '75 to 90 % of 80 % intervals hold the truth',
      `${percent(held)} of ${said.held.length}`,
      held >= 0.75 && held <= 0.9,
      said.held,
    ),
    target(
      "half the width of 0.1.0's 4 to 5 standard deviations",
      decimal(said.widths, median),
      width <= 2.5,
      said.widths,
    ),
    target(
      'over-promise within 0.2 deviations at the median',
      `${decimal(said.overs, median)}${over < -0.2 ? ': promises are too low' : ''}`,
      Math.abs(over) <= 0.2,
      said.overs,
    ),
    target(
      '"likely" right in 95 %',
      `${percent(right)} of ${said.right.length}, on ${designs.length} tables`,
      right >= 0.95,
      said.right,
    ),
    target(
      'Guess < Stretch < Trusted truly better',
      labels
        .map(({ label, better }) => `${label} ${percent(shareOf(better))} of ${better.length}`)
        .join(', '),
      isRising,
      labels,
    ),
    target('at most 5 % of tables with a signal refused', ofAll(refused), shareOf(refused) <= 0.05, refused),
    target('at most 5 % of tables of noise not refused', ofAll(noise), shareOf(noise) <= 0.05, noise),
    timeTarget(version),
  ];
}

/** @param {import('./figures.mjs').TruthRecord[]} shown @param {import('./figures.mjs').TruthRecord[]} designs without tables of weak signal */
function gainTargets(shown, designs) {
  const gain = mean(gainsOf(shown, 'design'));
  const others = Object.keys(peers).flatMap((method) => {
    const pairs = pairsOf(shown, method);
    if (pairs.length === 0) return [];
    const [own, theirs] = [mean(pairs.map((pair) => pair.own)), mean(pairs.map((pair) => pair.theirs))];
    // a peer that ran on a part of the tables is beside `design` on the same ones
    const isWhole = pairs.length >= 0.9 * designs.length;
    const where =
      pairs.length === designs.length ? '' : ` (\`design\` ${own.toFixed(2)} on these ${pairs.length})`;
    return [{ own, theirs, isWhole, text: `\`${method}\` ${theirs.toFixed(2)}${where}` }];
  });
  const whole = others.filter(({ isWhole }) => isWhole);
  const best = whole.reduce((a, b) => (b.theirs > a.theirs ? b : a), whole[0]);
  const ratio = best ? best.own / best.theirs : Number.NaN;
  const isAhead = best !== undefined && best.own >= 1.1 * best.theirs && best.own > best.theirs;
  const races = pairsOf(shown, 'gp-ei').map(({ own, theirs }) =>
    Math.abs(own - theirs) < TIE ? 0.5 : Number(own > theirs),
  );
  const ties = races.filter((race) => race === 0.5).length;
  const isLow = (/** @type {number} */ value) => value < -0.05;
  const low = designs.flatMap((run) => gainOf(run) ?? []).map(isLow);
  const ei = percent(shareOf(gainsOf(shown, 'gp-ei').map(isLow)));
  const repeat = percent(shareOf(designs.flatMap((run) => isBelowRepeat(shown, run))));
  return [
    target(
      "mean gain at least 1.1 times the best peer's",
      `${gain.toFixed(2)}; ${others.map(({ text }) => text).join(', ')}: ${ratio.toFixed(2)}`,
      isAhead,
      whole,
    ),
    target(
      'ahead of `gp-ei` on 65 % of the tables',
      `${races.length > 0 ? percent(mean(races)) : ''}; ties (nearer than ${TIE}) count half: ${ties} of ${races.length}`,
      races.length > 0 && mean(races) >= 0.65,
      races,
    ),
    target(
      'below doing nothing by over 0.05 on at most 3 %',
      `${percent(shareOf(low))}, ${ofAll(low)} (\`gp-ei\` ${ei}); below \`repeat\` by as much on ${repeat}`,
      shareOf(low) <= 0.03,
      low,
    ),
  ];
}

/** @param {string} version */
function timeTarget(version) {
  const limits = new Map([
    [200, 15],
    [1000, 20],
    [10_000, 40],
  ]);
  const found = timesOf(version);
  return target(
    '15, 20 and 40 s at 200 x 6, 1,000 x 10 and 10,000 x 20',
    `${found.map(({ cpuSeconds }) => cpuSeconds.toFixed(1)).join(', ')} s of processor time`,
    found.length === limits.size &&
      found.every(({ rows, cpuSeconds }) => cpuSeconds <= (limits.get(rows) ?? 0)),
    found,
  );
}

/** @param {readonly boolean[]} all */
const ofAll = (all) => `${all.filter(Boolean).length} of ${all.length}`;

/** @param {string} asked @param {string} reached @param {boolean} isEnough @param {readonly unknown[]} of what there is to count */
function target(asked, reached, isEnough, of) {
  return of.length === 0 ? { asked, reached: 'not run', isEnough: null } : { asked, reached, isEnough };
}

/** As a table in Markdown, its columns of one width. @param {string} half @param {string} version */
export function targetTable(half, version) {
  const words = (/** @type {boolean | null} */ is) => (is === null ? '' : is ? 'yes' : 'no');
  const rows = targetsOf(half, version).map(({ asked, reached, isEnough }) => [
    asked,
    reached,
    words(isEnough),
  ]);
  const all = [['asked', 'reached', ''], ...rows];
  const widths = [0, 1, 2].map((j) => all.reduce((most, row) => Math.max(most, row[j].length), 3));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, j) => cell.padEnd(widths[j])).join(' | ')} |`;
  return [line(all[0]), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** What stands over such a table. @param {string} half @param {string} version */
export function targetTitle(half, version) {
  const { designs } = judgedRuns(half, version);
  const weak = designs.filter(isWeak).length;
  const commits = [...new Set(designs.map(({ commit }) => commit))].join(', ');
  const seeds = [...new Set(designs.map(({ seed }) => seed))].join(', ');
  return `Version ${version} of \`design\`, ${halves[/** @type {import('./tables.mjs').Half} */ (half)]}, seed ${seeds}, commit ${commits}: ${designs.length - weak} tables, and ${weak} of weak signal that judge only what was said.`;
}

/** Draws of an interval by bootstrap over tables. */
const DRAWS = 2000;

/**
 * Sets that were closed until a version of `design` was judged on them, each with the first version that was: together they
 * say more than one set, and nothing was chosen on any of them before. No gain counts below -1.
 */
export function closedSets() {
  const sets = Object.keys(halves).flatMap((half) => {
    const [version] = versionsOn(half);
    return ['tuning', 'judging'].includes(half) || version === undefined ? [] : [{ half, version }];
  });
  const least = (/** @type {number} */ gain) => Math.max(-1, gain);
  const tables = sets.flatMap(({ half, version }) => {
    const strong = judgedRuns(half, version).shown.filter((run) => !isWeak(run));
    const of = (/** @type {string} */ method) => pairsOf(strong, method);
    const [ei, plain, forest] = ['gp-ei', 'gp-mean', 'forest'].map(of);
    if (ei.length !== plain.length || ei.length !== forest.length)
      throw new Error(`${half} lacks peers on some tables`);
    return ei.map(({ own, theirs }, i) => ({
      own: least(own),
      ei: least(theirs),
      plain: least(plain[i].theirs),
      forest: least(forest[i].theirs),
    }));
  });
  const meanOf = (/** @type {'own' | 'ei' | 'plain' | 'forest'} */ key, some = tables) =>
    mean(some.map((table) => table[key]));
  const ratioOf = (some = tables) =>
    meanOf('own', some) / Math.max(meanOf('ei', some), meanOf('plain', some));
  const stream = new Stream(rootKey(0));
  const drawn = Array.from({ length: DRAWS }, () =>
    ratioOf(tables.map(() => tables[stream.integer(tables.length)])),
  ).sort((a, b) => a - b);
  const ends = [0.025, 0.975].map((share) => drawn[Math.round(share * (DRAWS - 1))].toFixed(2));
  const versions = sets.map(
    ({ half, version }) =>
      `${halves[/** @type {import('./tables.mjs').Half} */ (half)]} by version ${version}`,
  );
  const share = (/** @type {(table: (typeof tables)[number]) => boolean} */ is) =>
    percent(shareOf(tables.map(is)));
  return (
    `**All closed sets together** (${versions.join(', ')}; ${tables.length} tables, none counted below -1): mean gain ${meanOf('own').toFixed(2)}, ` +
    `\`gp-mean\` ${meanOf('plain').toFixed(2)}, \`gp-ei\` ${meanOf('ei').toFixed(2)}, \`forest\` ${meanOf('forest').toFixed(2)}: ${ratioOf().toFixed(2)} times the best peer's ` +
    `(95 % interval by bootstrap over tables ${ends.join(' to ')}). Ahead of \`gp-ei\` on ${share(({ own, ei }) => own > ei)} and of \`gp-mean\` on ${share(({ own, plain }) => own > plain)}; ` +
    `below doing nothing by over 0.05 on ${share(({ own }) => own < -0.05)} (\`gp-ei\` ${share(({ ei }) => ei < -0.05)}, \`gp-mean\` ${share(({ plain }) => plain < -0.05)}).`
  );
}

const page = new URL('README.md', import.meta.url);
const begin = '<!-- result: node studies/design-truth/summary.mjs -->';
const end = '<!-- end of result -->';

/** The page of the study with the result of the latest version and set. */
export function withResult() {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md lacks "${begin}" or "${end}"`);
  const { half, version } = latest();
  const part = `${targetTitle(half, version)}\n\n${targetTable(half, version)}\n\n${closedSets()}`;
  return { page, text, made: `${text.slice(0, from + begin.length)}\n\n${part}\n\n${text.slice(to)}` };
}
