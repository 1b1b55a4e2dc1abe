// Tables read, problems made and spaces decided, with every bit reported: the same file runs in Node and in the browser.

/**
 * @param {typeof import('../../dist/table/index.js') & typeof import('../../dist/problem/index.js')} table
 * @param {typeof import('../../dist/space/index.js')} space
 * @param {Record<string, string>} files names and bytes in base64
 */
export async function tableJob({ inspect, stateProblem, readTable, toDataset }, space, files) {
  const { decideFeasibility, projector, violations } = space;
  /** @type {Record<string, unknown>} */
  const report = {};
  for (const [name, base64] of Object.entries(files)) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const asBytes = await readTable(bytes, { name });
    const asFile = await readTable(new File([bytes], name));
    const made = stateProblem(asFile, {
      goals: ['max yield'],
      mixtures: [{ columns: ['a', 'b', 'c'], sum: 1 }],
      columns: { temp: { bounds: [20, 90], step: 5 }, a: { step: 0.07 } },
      constraints: ['at most 2 of a, b, c', 'temp - 100*a <= 60', 'forbid catalyst=B and solvent=water'],
    });
    const { project, example } = await projector(made.space);
    const designs = [0.1, 0.5, 0.9].map((t) =>
      project(
        made.space.columns.map((column) =>
          column.kind === 'categorical' ? Math.floor(t * column.classes) : column.lower + t * column.upper,
        ),
      ),
    );
    report[name] = {
      asBytes,
      asFile,
      types: inspect(asFile),
      made,
      own: toDataset(made, asBytes),
      example,
      designs,
      broken: designs.flatMap((x) => violations(made.space, x)),
    };
  }
  // Neither greed nor rounding finds these: the solver has to be asked.
  const whole = (/** @type {number} */ bound) => ({
    columns: Array.from({ length: 3 }, () => ({
      kind: /** @type {const} */ ('continuous'),
      lower: 0,
      upper: 40,
      step: 1,
    })),
    linear: [
      {
        terms: [12, 20, 30].map((weight, column) => ({ column, weight })),
        relation: /** @type {const} */ ('='),
        bound,
        label: `sum is ${bound}`,
      },
    ],
  });
  report.feasible = await decideFeasibility(whole(362));
  report.infeasible = await decideFeasibility(whole(361));
  return JSON.stringify(report, bitwise);
}

/** Typed arrays as their bytes, numbers that JSON lacks as texts. @param {string} _ @param {unknown} value */
function bitwise(_, value) {
  if (ArrayBuffer.isView(value))
    return {
      type: value.constructor.name,
      bytes: [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)].join(' '),
    };
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
    return `number ${Object.is(value, -0) ? '-0' : value}`;
  return value;
}
