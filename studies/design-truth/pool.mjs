// What `design` had to choose from on the sets for tuning: every doable design of its pool with what each judge said of it
// and what it is truly worth, and the rehearsal behind it. Rules of choice and intervals can be tried on it without running
// anything again. One file of JSON per table, in a folder that is not kept.
//   node studies/design-truth/pool.mjs <folder> [--only borehole-1] [--seed 0]
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { batchPool } from '../../dist/design/batchPool.js';
import { batchRulesOf, requestOf } from '../../dist/design/designRequest.js';
import { DesignRun } from '../../dist/design/designRun.js';
import { drive } from '../../dist/design/drive.js';
import { Advisor } from '../../dist/judging/advisor.js';
import { cautionOf } from '../../dist/judging/dressRehearsal.js';
import { clumping } from '../../dist/judging/novelty.js';
import { ardRows } from '../../dist/models/ardKernel.js';
import { toScale } from '../../dist/models/response.js';
import { foldKey, median, openEngine, rootKey } from '../../dist/numeric/index.js';
import { joinRows, rowOf } from '../../dist/numeric/rows.js';
import { specFrom, stateFor, toCells } from '../../dist/problem/index.js';
import { settingsOf } from '../../dist/problem/problemSpec.js';
import { readTable } from '../../dist/table/index.js';
import { exactTruth } from './exactTruth.mjs';
import { tables } from './tables.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, seed: { type: 'string', default: '0' } },
});
const folder = positionals[0];
if (!folder) {
  process.stderr.write('give a folder for the files\n');
  process.exit(2);
}
const only = flags.only?.split(',');
const seed = Number(flags.seed);
const short = (/** @type {number} */ v) => Number(v.toPrecision(7));

mkdirSync(folder, { recursive: true });
const engine = await openEngine({ threads: 1 });
for (const table of tables) {
  // the fifth judging set is not for looking at
  if (table.half === 'fifth' || (only && !only.includes(table.name))) continue;
  const file = join(folder, `${table.name}.json`);
  if (existsSync(file)) continue;
  const rows = table.make();
  const read = await readTable(rows, { name: table.name });
  /** @type {any} */
  const options = { ...table.words, batch: 8, seed, front: false };
  const problem = await stateFor(read, specFrom(options));
  const truth = exactTruth(table, problem, rows);
  const request = requestOf(problem, settingsOf(options), options);
  const started = process.cpuUsage();
  /** @type {any} */
  const run = DesignRun.open(request, engine);
  const { state } = await drive(run, {});
  const judges = await run.judgesOf(state);
  const { panel, rehearsed } = judges;
  const caution = cautionOf[/** @type {import('../../dist/problem/index.js').Risk} */ (rehearsed.risk)];
  const advisor = await Advisor.open(problem, run.model.encoding, judges, caution);
  const { rules, kept } = batchRulesOf(request);
  const designs = await batchPool(problem, state.pool, {
    rules,
    kept,
    seed,
    isFront: false,
    promise: async (/** @type {any} */ x) => (await advisor.scores(x)).map(({ promise }) => promise),
  });
  const { response } = panel;
  const { findings } = await run.finish(state);
  const { user, system } = process.cpuUsage(started);
  const d = problem.space.columns.length;
  const all = joinRows(designs);
  const cells = toCells(problem, all);
  const opinion = await panel.read(all);
  const points = advisor.past.place(all);
  const P = points.length / designs.length;
  const members = panel.gaussian.members?.map((/** @type {any} */ { gaussian, share }) => ({
    gaussian,
    share,
  }));
  const zOf = (/** @type {number} */ score) => short(toScale(response, score));
  const { top } = run.model.crossFitSpec;
  const { data } = problem;
  const hidden = Array.from(top).filter((row) => !data.censored?.[row]);
  const apart = panel.gaussian.without(new Set(top), foldKey(foldKey(rootKey(seed), 'judges'), 'rehearsal'));
  const others = apart.leaveOneOut();
  const ofHidden = apart.read(joinRows(hidden.map((row) => rowOf(data.x, d, row))));
  const networksApart = await panel.networks.withoutTop([...hidden, ...others.rows]);
  const left = panel.gaussian.leaveOneOut();
  const networksLeft = await panel.networks.heldOut(left.rows);
  const list = (/** @type {any} */ o) => ({
    mean: Array.from(o.mean, short),
    deviation: Array.from(o.deviation, short),
  });
  const candidate = (/** @type {any} */ c) => {
    const value = truth.truthOf(c.cells);
    return {
      truth: value,
      gain: truth.gainOf(value),
      expected: c.expected,
      lo80: c.lo80,
      hi80: c.hi80,
      better: c.better,
      trust: c.trust,
    };
  };
  const record = {
    table: table.name,
    family: table.family,
    rows: data.y.length,
    columns: d,
    noiseShare: table.noise,
    hiddenShare: table.hidden,
    cpu: (user + system) / 1e6,
    sign: truth.sign,
    bestVisible: truth.bestVisible,
    best: truth.best,
    response,
    noise: panel.gaussian.noise,
    settings: panel.settings,
    rehearsed,
    clumped: clumping(advisor.past.distances),
    distances: Array.from(advisor.past.distances, short),
    bestMeasuredZ: zOf(data.y[advisor.best]),
    bestVisibleZ: zOf(truth.sign * truth.bestVisible),
    z: Array.from(data.y, zOf),
    rehearsal: {
      hidden: { z: hidden.map((row) => zOf(data.y[row])), gaussian: list(ofHidden) },
      others: { z: others.rows.map((/** @type {number} */ row) => zOf(data.y[row])), gaussian: list(others) },
      networks: list(networksApart),
    },
    unseen: {
      z: left.rows.map((/** @type {number} */ row) => zOf(data.y[row])),
      gaussian: list(left),
      networks: list(networksLeft),
    },
    verdict: findings.verdict.level,
    chosen: findings.candidates.map(candidate),
    pool: {
      gaussian: list(opinion.gaussian),
      networks: list(opinion.networks),
      truthZ: cells.map((c) => {
        const value = truth.truthOf(c);
        return value === null ? null : zOf(truth.sign * value);
      }),
      gain: cells.map((c) => short(truth.gainOf(truth.truthOf(c)))),
      distance: Array.from(designs, (_, i) => short(advisor.past.nearestTo(rowOf(points, P, i)).distance)),
      members: members?.map((/** @type {any} */ { gaussian, share }) => {
        const { mean, variance } = gaussian.predict(rowsAt(panel.gaussian, all));
        return {
          share,
          mean: Array.from(mean, short),
          deviation: Array.from(variance, (/** @type {number} */ v) => short(Math.sqrt(v))),
        };
      }),
      points: Array.from(points, (v) => Number(v.toFixed(4))),
    },
  };
  run.dispose();
  writeFileSync(`${file}.part`, JSON.stringify(record));
  renameSync(`${file}.part`, file);
  const middle =
    record.chosen.length > 0 ? median(record.chosen.map((/** @type {any} */ one) => one.gain)) : 0;
  process.stderr.write(
    `${table.name}: ${record.verdict}, ${middle.toFixed(3)}, pool ${designs.length}, ${record.cpu.toFixed(1)} s\n`,
  );
}
await engine.close();

/** @param {any} judge @param {Float64Array} x */
function rowsAt(judge, x) {
  return ardRows(judge.shape, judge.data.encoding, x);
}
