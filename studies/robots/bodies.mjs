// Bodies near the default one, of numbers that fit into half precision.
import { antDefault, antLeg, antXml } from '../../dist/simulation/ant.js';
import { dkittyDefault, dkittyLeg, dkittyXml } from '../../dist/simulation/dkittyModel.js';

/** @typedef {{ start: Float64Array, lower: number[], upper: number[], xml(design: Float64Array): string }} Body */

/** @type {Record<'ant' | 'dkitty', Body>} */
export const bodies = {
  ant: {
    start: antDefault,
    lower: fourTimes(antLeg.map(([, , lower]) => lower)),
    upper: fourTimes(antLeg.map(([, , , upper]) => upper)),
    xml: antXml,
  },
  dkitty: {
    start: dkittyDefault,
    lower: fourTimes(dkittyLeg.map(([, lower]) => lower)),
    upper: fourTimes(dkittyLeg.map(([, , upper]) => upper)),
    xml: dkittyXml,
  },
};

/** @param {number[]} leg */
function fourTimes(leg) {
  return [leg, leg, leg, leg].flat();
}

/**
 * The default body with normal noise of `noise` x half the range of each number, as Design-Bench drew them.
 * @param {Body} body @param {number} noise @param {import('../../dist/numeric/index.js').Stream} stream
 */
export function drawBody(body, noise, stream) {
  return withinBounds(
    body,
    body.start.map((value, j) => value + noise * halfRange(body, j) * stream.normal()),
  );
}

/** @param {Body} body @param {number} j */
export function halfRange({ lower, upper }, j) {
  return /** @type {number} */ (upper[j] - /** @type {number} */ (lower[j])) / 2;
}

/**
 * Into the bounds, then to the nearest number of half precision that is within them.
 * @param {Body} body @param {Float64Array} design
 */
export function withinBounds({ lower, upper }, design) {
  return design.map((value, j) => {
    const [low, high] = [/** @type {number} */ (lower[j]), /** @type {number} */ (upper[j])];
    const inside = Math.min(high, Math.max(low, value));
    // Numbers of half precision below 2^(e + 1) are multiples of 2^(e - 10).
    const unit = 2 ** (Math.max(-14, Math.floor(Math.log2(Math.abs(inside)))) - 10);
    const nearest = unit * Math.round(inside / unit);
    if (nearest > high) return unit * Math.floor(inside / unit);
    return nearest < low ? unit * Math.ceil(inside / unit) : nearest;
  });
}
