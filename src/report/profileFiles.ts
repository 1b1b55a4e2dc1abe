/** Profiles as SVG files that stand alone: each with its name, its caption and its own style. */
import type { DocumentFormats } from './documentFormats.js';
import { html, Markup, shorten, wrap } from './markup.js';
import { drawProfiles, height, type ProfiledRun, width } from './profileChart.js';
import { chartStyle } from './style.js';

const margin = 12;
const lineHeight = 13;
/** Characters of the caption that fit on a line. */
const lineLength = 56;

/** File names with their contents, in the order of the profiles. */
export function profileFiles(run: ProfiledRun, formats: DocumentFormats): [name: string, svg: string][] {
  const taken = new Set<string>();
  return drawProfiles(run, formats).map(({ profile, drawing, caption }) => {
    const lines = wrap(`${caption} The other columns are as in candidate ${run.row}.`, lineLength);
    const top = -2 * margin - 4;
    const tall = height - top + lines.length * lineHeight + margin;
    const svg = html`<svg xmlns="http://www.w3.org/2000/svg" class="panel" width="${2 * (width + 2 * margin)}" height="${2 * tall}" viewBox="${-margin} ${top} ${width + 2 * margin} ${tall}" font-family="system-ui, sans-serif" role="img">
<title>${profile.column}</title><desc>${caption}</desc>
<style>${new Markup(chartStyle)}</style>
<rect x="${-margin}" y="${top}" width="${width + 2 * margin}" height="${tall}" fill="#ffffff"/>
<text class="name" x="0" y="-12" font-weight="600">${shorten(profile.column, 50)}</text>
${drawing}
${lines.map((line, i) => html`<text x="0" y="${height + 8 + i * lineHeight}">${line}</text>`)}
</svg>`;
    return [fileName(run.row, profile.column, taken), `${svg.text}\n`];
  });
}

/** Such as `row-3-temp-in-c.svg`; a number follows where two columns would share a name. */
function fileName(row: number, column: string, taken: Set<string>): string {
  const plain = column
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const base = `row-${row}-${plain === '' ? 'column' : plain}`;
  let name = base;
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`;
  taken.add(name);
  return `${name}.svg`;
}
