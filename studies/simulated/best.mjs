// Truths reached by a search that may ask the truth, rounded to the worse side. Found by
//     node studies/simulated/headroom.mjs
// which also writes the designs to studies/simulated/headroom.json. No optimum is proven.

/** @type {Readonly<Record<string, number>>} */
export const best = {
  promoter: 3316.1,
  valley: 9.7014,
  concrete: 111.38,
  enzyme: 28.135,
  printing: 41.541,
  coating: -25.816,
  electrolyte: 75.406,
  brewing: 97.608,
  steel: 1712.7,
  antenna: 17.577,
  reactor: 83.426,
};
