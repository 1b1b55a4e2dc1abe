/** Parts of panels: axes, places on them, dots. */
import { decadeOf } from '../numeric/portable.js';
import { extent } from '../numeric/stats.js';
import {
  type Axis,
  bottomAxis,
  type Frame,
  fittedAxis,
  leftAxis,
  logAxis,
  position,
} from '../report/axis.js';
import { type Content, html } from '../report/markup.js';
import { dotsOf, type Panel } from './figureFile.js';

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

/** Scores by prediction, on one axis, with the line where both are equal. */
export function equalityPanel(title: string, dots: readonly Dot[], label: string): Panel {
  const axis = fittedAxis(dots.flatMap((dot) => [dot.x, dot.y]));
  return {
    title,
    draw: (frame: Frame) => [
      axes(axis, axis, frame, label),
      html`<path class="best" d="M${x(axis, axis.min, frame)} ${y(axis, axis.min, frame)}L${x(axis, axis.max, frame)} ${y(axis, axis.max, frame)}"/>`,
      drawDots(dots, axis, axis, frame),
    ],
  };
}

/** Smaller distances to the data lie at the left end: a design that is a visible row is at 0. */
export const nearestShown = 0.01;

/** What designs score, by distance to the data: from a tiny change to far outside of it, so on a logarithmic axis. */
export function distancePanel(
  title: string,
  dots: readonly Dot[],
  /** Dots that the axis of scores is made for; others may lie at its ends. */
  fitted: readonly Dot[] = dots,
): Panel {
  const across = fittedLogAxis(dots.map((dot) => Math.max(nearestShown, dot.x)));
  const up = fittedAxis(fitted.map((dot) => dot.y));
  return {
    title,
    draw: (frame: Frame) => [
      axes(across, up, frame, 'distance to the nearest visible row'),
      drawDots(dots, across, up, frame),
    ],
  };
}

/** From a little below the values to a little above them; ticks at powers of ten, or at 1, 2 and 5 times these. */
function fittedLogAxis(values: readonly number[]): Axis {
  if (values.length === 0) return logAxis([nearestShown, 1]);
  const whole = logAxis(values);
  const { min: low, max: high } = extent(values);
  const [min, max] = [low / 1.2, high * 1.2];
  const within = (ticks: readonly number[]) => ticks.filter((tick) => tick >= min && tick <= max);
  const powers = within(whole.ticks);
  const between = [0, ...whole.ticks.keys()].flatMap((_, i) =>
    [1, 2, 5].map((factor) => Number(`${factor}e${decadeOf(min) + i}`)),
  );
  const ticks = powers.length > 1 ? powers : within(between);
  return ticks.length > 1 ? { ...whole, min, max, ticks } : whole;
}

function drawDots(dots: readonly Dot[], across: Axis, up: Axis, frame: Frame): Content {
  return [...new Set(dots.map(({ row }) => row))].map((row) =>
    dotsOf(
      row,
      dots
        .filter((dot) => dot.row === row)
        .map((dot) => [x(across, dot.x, frame).toFixed(1), y(up, dot.y, frame).toFixed(1)]),
    ),
  );
}
