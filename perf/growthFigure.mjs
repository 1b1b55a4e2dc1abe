// The figure of perf/growth.mjs: cost against size, both logarithmic, and the exponents fitted to it.

/** @typedef {{ at: number, cpu: number }} Point */
/** @typedef {{ name: string, what: string, points: Point[] }} Series */

/** Slope of log cost against log size by least squares. @param {Point[]} points */
export function exponent(points) {
  return slope(points.map(({ at, cpu }) => [Math.log(at), Math.log(cpu)]));
}

/** @param {number[][]} pairs */
function slope(pairs) {
  if (pairs.length < 2) return Number.NaN;
  const mean = (/** @type {number} */ j) =>
    pairs.reduce((sum, pair) => sum + (pair[j] ?? 0), 0) / pairs.length;
  const [mx, my] = [mean(0), mean(1)];
  const top = pairs.reduce((sum, [x = 0, y = 0]) => sum + (x - mx) * (y - my), 0);
  return top / pairs.reduce((sum, [x = 0]) => sum + (x - mx) ** 2, 0);
}

const panels = [
  { title: 'rows', names: ['check, rows', 'design, rows'] },
  { title: 'columns', names: ['check, columns', 'design, columns'] },
  { title: 'networks', names: ['iteration, K'] },
];
/** @param {number} count */
const short = (count) => count.toLocaleString('en-US', { notation: count < 1e5 ? 'standard' : 'compact' });
const colours = ['#2563a8', '#b4541a'];
const heading = 'Seconds of the processor against rows, columns and networks, both logarithmic';

/** @param {Series[]} series @returns {{ svg: string, table: string }} */
export function drawGrowth(series) {
  const [width, height, left, top] = [250, 210, 48, 34];
  const parts = panels.map(({ title, names }, p) => {
    const shown = names
      .map((name) => series.find((one) => one.name === name))
      .filter((one) => one !== undefined);
    const all = shown.flatMap(({ points }) => points);
    const range = (/** @type {number[]} */ values) => [
      Math.floor(Math.log10(values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY))),
      Math.ceil(Math.log10(values.reduce((a, b) => Math.max(a, b), 0)) + 1e-9),
    ];
    const [x0 = 0, x1 = 1] = range(all.map(({ at }) => at));
    const [y0 = 0, y1 = 1] = range(all.map(({ cpu }) => cpu));
    const x = (/** @type {number} */ at) => left + (width * (Math.log10(at) - x0)) / (x1 - x0);
    const y = (/** @type {number} */ cpu) => top + height - (height * (Math.log10(cpu) - y0)) / (y1 - y0);
    const text = (
      /** @type {number} */ tx,
      /** @type {number} */ ty,
      /** @type {string} */ words,
      more = '',
    ) => `<text x="${tx.toFixed(1)}" y="${ty.toFixed(1)}" ${more}>${words}</text>`;
    const grid = [];
    for (let e = x0; e <= x1; e++)
      grid.push(
        `<path d="M${x(10 ** e).toFixed(1)} ${top}v${height}" class="grid"/>`,
        text(x(10 ** e), top + height + 16, short(10 ** e), 'text-anchor="middle"'),
      );
    for (let e = y0; e <= y1; e++)
      grid.push(
        `<path d="M${left} ${y(10 ** e).toFixed(1)}h${width}" class="grid"/>`,
        text(left - 6, y(10 ** e) + 4, `${Number((10 ** e).toPrecision(1))} s`, 'text-anchor="end"'),
      );
    const lines = shown.map(({ what, points }, i) => {
      const colour = colours[i];
      const d = points.map(({ at, cpu }, n) => `${n ? 'L' : 'M'}${x(at).toFixed(1)} ${y(cpu).toFixed(1)}`);
      const dots = points.map(
        ({ at, cpu }) =>
          `<circle cx="${x(at).toFixed(1)}" cy="${y(cpu).toFixed(1)}" r="3" fill="${colour}"/>`,
      );
      return [
        `<path d="${d.join('')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
        ...dots,
        text(left, 12 + 14 * i, what, `style="fill:${colour}"`),
      ].join('');
    });
    const label = text(left + width / 2, top + height + 34, title, 'text-anchor="middle"');
    return `<g transform="translate(${p * (width + left + 16)} 0)">${grid.join('')}${lines.join('')}${label}</g>`;
  });
  const whole = `${panels.length * (width + left + 16)} ${top + height + 44}`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole}" font-family="sans-serif" font-size="11">`,
    `<title>${heading}</title>`,
    '<style>.grid{stroke:#ddd;stroke-width:1}text{fill:#444}</style>',
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>\n',
  ].join('\n');
  const number = (/** @type {number} */ value) => (Number.isNaN(value) ? '-' : value.toFixed(2));
  const table = [
    '| what | from | to | CPU s at both ends | exponent | of the last two |',
    '| --- | --- | --- | --- | --- | --- |',
    ...series
      .filter(({ points }) => points.length > 1)
      .map(({ what, points }) => {
        const [first, last] = [points[0], points.at(-1)];
        return `| ${what} | ${first?.at} | ${last?.at} | ${first?.cpu}, ${last?.cpu} | ${number(exponent(points))} | ${number(exponent(points.slice(-2)))} |`;
      }),
  ].join('\n');
  return { svg, table };
}
