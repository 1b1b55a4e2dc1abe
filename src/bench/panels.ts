/** Parts of panels: axes, places on them, dots. */
import { type Axis, bottomAxis, type Frame, fittedAxis, leftAxis, position } from '../report/axis.js';
import { type Content, html } from '../report/markup.js';
import { type Panel, styleOf } from './figureFile.js';

export function axes(across: Axis, up: Axis, frame: Frame, label: string): Content {
  return [leftAxis(up, frame), bottomAxis(across, frame, label)];
}

export function x(axis: Axis, value: number, frame: Frame): number {
  return Number(position(axis, value, frame.left, frame.right).toFixed(2));
}

export function y(axis: Axis, value: number, frame: Frame): number {
  return Number(position(axis, value, frame.bottom, frame.top).toFixed(2));
}

export interface Dot {
  /** Number of its row, which gives its colour. */
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

export function dotPanel(title: string, dots: readonly Dot[], label: string, isDiagonal: boolean): Panel {
  const across = fittedAxis(dots.map((dot) => dot.x));
  const up = fittedAxis([...dots.map((dot) => dot.y), ...(isDiagonal ? dots.map((dot) => dot.x) : [])]);
  const used = isDiagonal ? up : across;
  return {
    title,
    draw: (frame: Frame) => [
      axes(used, up, frame, label),
      isDiagonal &&
        html`<path class="best" d="M${x(used, up.min, frame)} ${y(up, up.min, frame)}L${x(used, up.max, frame)} ${y(up, up.max, frame)}"/>`,
      [...new Set(dots.map(({ row }) => row))].map((row) => {
        const { colour, dash } = styleOf(row);
        const ofRow = dots.filter((dot) => dot.row === row);
        const at = (dot: Dot) => [x(used, dot.x, frame).toFixed(1), y(up, dot.y, frame).toFixed(1)] as const;
        // rows that are dotted elsewhere are crosses, those that are dashed are rings
        if (dash === '1 3')
          return html`<path d="${ofRow.map((dot) => `M${at(dot).join(' ')}m-2.5-2.5l5 5m0-5l-5 5`).join('')}" stroke="${colour}" fill="none"/>`;
        const look =
          dash === 'none' ? html`fill="${colour}" fill-opacity="0.6"` : html`fill="none" stroke="${colour}"`;
        return html`<g ${look}>${ofRow.map((dot) => {
          const [cx, cy] = at(dot);
          return html`<circle cx="${cx}" cy="${cy}" r="2.6"/>`;
        })}</g>`;
      }),
    ],
  };
}
