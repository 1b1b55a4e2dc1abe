/** A figure of the benchmark as an SVG file that stands alone: title, legend of rows, panels side by side. */
import type { Frame } from '../report/axis.js';
import { type Content, html, type Markup, wrap } from '../report/markup.js';

/** Safe for colour-blind readers (Okabe & Ito 2008). Further rows use them again, dashed, then dotted. */
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#999933', '#555555'];

const dashes = ['none', '5 3', '1 3'] as const;

export interface RowStyle {
  readonly colour: string;
  readonly dash: (typeof dashes)[number];
}

export function styleOf(index: number): RowStyle {
  const round = Math.min(dashes.length - 1, Math.floor(index / colours.length));
  return { colour: colours[index % colours.length]!, dash: dashes[round]! };
}

/** Dots of a row: filled, rings where its lines are dashed, crosses where they are dotted. */
export function dotsOf(index: number, places: readonly (readonly [x: string, y: string])[]): Markup {
  const { colour, dash } = styleOf(index);
  if (dash === '1 3') {
    const crosses = places.map((place) => `M${place.join(' ')}m-2.5-2.5l5 5m0-5l-5 5`);
    return html`<path d="${crosses.join('')}" stroke="${colour}" fill="none"/>`;
  }
  const look =
    dash === 'none' ? html`fill="${colour}" fill-opacity="0.6"` : html`fill="none" stroke="${colour}"`;
  return html`<g ${look}>${places.map(([cx, cy]) => html`<circle cx="${cx}" cy="${cy}" r="2.6"/>`)}</g>`;
}

export type NamedFile = readonly [name: string, svg: string];

export interface Panel {
  readonly title: string;
  readonly draw: (frame: Frame) => Content;
}

const gap = 24;
const margin = 16;
const perLine = 2;

export interface Figure {
  readonly title: string;
  /** A description of the figure. */
  readonly caption: string;
  /** In the order of their styles. */
  readonly rows: readonly string[];
  /** Numbers of the rows in the legend; default: all. */
  readonly shown?: ReadonlySet<number>;
  /** How rows are drawn, here and in the legend; default: as lines. */
  readonly marks?: 'lines' | 'dots';
  readonly panels: readonly Panel[];
  /** Of a panel; default: 340 and 230. */
  readonly panelWidth?: number;
  readonly panelHeight?: number;
}

export function figureFile(figure: Figure): string {
  const {
    title,
    caption,
    rows,
    shown,
    marks = 'lines',
    panels,
    panelWidth = 340,
    panelHeight = 230,
  } = figure;
  const across = Math.min(perLine, Math.max(1, panels.length));
  const width = 2 * margin + across * panelWidth + (across - 1) * gap;
  const legend = legendLines(rows, width - 2 * margin, marks, shown);
  const top = margin + 22 + legend.height + 8;
  const lines = Math.ceil(panels.length / perLine);
  const captions = wrap(caption, Math.floor((width - 2 * margin) / 5.6));
  const height = top + lines * (panelHeight + gap) + captions.length * 15 + margin;
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title><desc>${caption}</desc>
<style>text{font:11px system-ui,sans-serif;fill:#333}.head{font-size:14px;font-weight:600}.title{font-weight:600}.name{fill:#555}.rule{stroke:#888;fill:none}.grid{stroke:#e5e5e5;fill:none}.best{stroke:#b7791f;stroke-dasharray:4 3;fill:none}</style>
<rect width="${width}" height="${height}" fill="#fff"/>
<text class="head" x="${margin}" y="${margin + 10}">${title}</text>
<g transform="translate(${margin} ${margin + 26})">${legend.drawing}</g>
${panels.map((panel, i) => {
  const x = margin + (i % perLine) * (panelWidth + gap);
  const y = top + Math.floor(i / perLine) * (panelHeight + gap);
  const frame = { left: 60, right: panelWidth - 8, top: 24, bottom: panelHeight - 34 };
  return html`<g transform="translate(${x} ${y})"><text class="title" x="0" y="8">${panel.title}</text>${panel.draw(frame)}</g>`;
})}
${captions.map((line, i) => html`<text class="name" x="${margin}" y="${height - margin - (captions.length - 1 - i) * 15}">${line}</text>`)}
</svg>`;
  return `${svg.text}\n`;
}

function legendLines(
  rows: readonly string[],
  width: number,
  marks: 'lines' | 'dots',
  shown: ReadonlySet<number> | undefined,
): { drawing: Markup[]; height: number } {
  let [x, y] = [0, 0];
  const drawing = rows.flatMap((row, i) => {
    if (shown && !shown.has(i)) return [];
    const room = 34 + 6.2 * row.length;
    if (x > 0 && x + room > width) [x, y] = [0, y + 16];
    const { colour, dash } = styleOf(i);
    const mark =
      marks === 'dots'
        ? dotsOf(i, [[`${x + 9}`, `${y}`]])
        : html`<path d="M${x} ${y}h18" stroke="${colour}" stroke-width="2.5" stroke-dasharray="${dash}"/>`;
    const entry = html`${mark}<text x="${x + 23}" y="${y + 4}">${row}</text>`;
    x += room;
    return [entry];
  });
  return { drawing, height: y + 16 };
}
