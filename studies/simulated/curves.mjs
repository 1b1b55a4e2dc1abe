// Shapes that truths are made of.

/** 1 at the centre, 0.37 a width away. @param {number} x @param {number} centre @param {number} width */
export const bump = (x, centre, width) => Math.exp(-(((x - centre) / width) ** 2));

/** From 0 to 1 around `middle`; a small `width` makes a cliff. @param {number} x @param {number} middle @param {number} width */
export const step = (x, middle, width) => 1 / (1 + Math.exp(-(x - middle) / width));

/** Arrhenius factor, 1 at `reference` °C. @param {number} celsius @param {number} energy kJ/mol @param {number} reference */
export const arrhenius = (celsius, energy, reference) =>
  Math.exp((-energy / 8.314e-3) * (1 / (celsius + 273.15) - 1 / (reference + 273.15)));

/** @param {Readonly<Record<string, number>>} table @param {string} key */
export function look(table, key) {
  const value = table[key];
  if (value === undefined) throw new Error(`nothing is known of "${key}"`);
  return value;
}
