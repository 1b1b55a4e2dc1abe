// Engineering of the fourth judging set: textbook problems with published formulas, their sources beside them. Limits of a
// problem are prices for passing them, high enough that the best design keeps them, so published optima hold.
import { inFamily, numbers } from './truths.mjs';

const { PI, exp, log, log10, sqrt, abs, min, max } = Math;

/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);
/** A share that falls from 1 to 0. @param {number} value @param {number} at @param {number} width */
const below = (value, at, width) => 1 / (1 + exp((value - at) / width));
/** Where a falling function crosses 0. @param {(x: number) => number} f @param {number} lower @param {number} upper */
export function root(f, lower, upper) {
  let [a, b] = [lower, upper];
  for (let halving = 0; halving < 45; halving++) {
    const middle = (a + b) / 2;
    if (f(middle) > 0) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/** Yield strength of a plate in GPa. @type {Record<string, number>} */
const plates = { mild: 0.192, strong: 0.345 };

export const engineering = inFamily('engineering', [
  {
    // Rao 1996, a tube under a load; 26.500 at 5.4513, 0.29196, where both limits hold
    name: 'tubularColumn',
    wanted: 'min',
    columns: numbers({ diameter: [4, 14], wall: [0.2, 0.8] }),
    value: ({ diameter: d, wall: t }) =>
      9.8 * d * t +
      2 * d +
      60 *
        (over(2500 / (PI * d * t * 500) - 1) +
          over((8 * 2500 * 250 ** 2) / (PI ** 3 * 0.85e6 * d * t * (d ** 2 + t ** 2)) - 1)),
  },
  {
    // a car hit from the side, regressions of Gu et al. 2001; 22.8430 at 0.5, 1.1164, 0.5, 1.3021, 0.5, 1.5, 0.5, strong, mild, -19.55, 0
    name: 'sideImpact',
    wanted: 'min',
    columns: [
      ...numbers({
        ...{ pillar: [0.5, 1.5], support: [0.5, 1.5], floor: [0.5, 1.5], cross: [0.5, 1.5] },
        ...{ door: [0.5, 1.5], belt: [0.5, 1.5], roof: [0.5, 1.5] },
      }),
      { name: 'pillarSteel', levels: Object.keys(plates) },
      { name: 'floorSteel', levels: Object.keys(plates) },
      ...numbers({ height: [-30, 30], place: [-30, 30] }),
    ],
    value: (c) => {
      const { pillar: a, support: b, floor: f, cross: d, door: e, belt: g, roof: r, height: h, place: p } = c;
      const [s, u] = [plates[c.pillarSteel], plates[c.floorSteel]];
      const limits = [
        1.16 - 0.3717 * b * d - 0.00931 * b * h - 0.484 * f * u + 0.01343 * g * h,
        (0.261 -
          0.0159 * a * b -
          0.188 * a * s -
          0.019 * b * r +
          0.0144 * f * e +
          0.0008757 * e * h +
          0.080405 * g * u +
          0.00139 * s * p +
          0.00001575 * h * p) /
          0.32,
        (0.214 +
          0.00817 * e -
          0.131 * a * s -
          0.0704 * a * u +
          0.03099 * b * g -
          0.018 * b * r +
          0.0208 * f * s +
          0.121 * f * u -
          0.00364 * e * g +
          0.0007715 * e * h -
          0.0005354 * g * h +
          0.00121 * s * p) /
          0.32,
        (0.74 - 0.61 * b - 0.163 * f * s + 0.001232 * f * h - 0.166 * r * u + 0.227 * b * b) / 0.32,
        (28.98 + 3.818 * f - 4.2 * a * b + 0.0207 * e * h + 6.63 * g * u - 7.7 * r * s + 0.32 * u * h) / 32,
        (33.86 +
          2.95 * f +
          0.1792 * h -
          5.057 * a * b -
          11 * b * s -
          0.0215 * e * h -
          9.98 * r * s +
          22 * s * u) /
          32,
        (46.36 - 9.9 * b - 12.9 * a * s + 0.1107 * f * h) / 32,
        (4.72 - 0.5 * d - 0.19 * b * f - 0.0122 * d * h + 0.009325 * g * h + 0.000191 * p * p) / 4,
        (10.58 - 0.674 * a * b - 1.95 * b * s + 0.02054 * f * h - 0.0198 * d * h + 0.028 * g * h) / 9.9,
        (16.45 - 0.489 * f * r - 0.843 * e * g + 0.0432 * u * h - 0.0556 * u * p - 0.000786 * p * p) / 15.7,
      ];
      const weight = 1.98 + 4.9 * a + 6.67 * b + 6.98 * f + 4.01 * d + 1.78 * e + 2.73 * r;
      return weight + limits.reduce((sum, limit) => sum + 200 * over(limit - 1), 0);
    },
  },
  {
    // Fleury & Braibant 1986, a cantilever of five steps; 1.33996 at 6.016, 5.309, 4.494, 3.502, 2.153
    name: 'steppedBeam',
    wanted: 'min',
    columns: numbers({
      ...{ step1: [1.5, 8], step2: [1.5, 8], step3: [1.5, 8], step4: [1.5, 8] },
      step5: [1.5, 8],
    }),
    value: ({ step1, step2, step3, step4, step5 }) => {
      const bend =
        61 / step1 ** 3 + 37 / step2 ** 3 + 19 / step3 ** 3 + 7 / step4 ** 3 + 1 / max(0.5, step5) ** 3;
      return 0.0624 * (step1 + step2 + step3 + step4 + step5) + 1.5 * min(2, over(bend - 1));
    },
  },
  {
    // corrugated bulkhead of a tanker (Kvalie et al. 1966); 6.84296 at 57.6923, 34.1476, 57.6923, 1.05
    name: 'bulkhead',
    wanted: 'min',
    columns: numbers({ width: [30, 100], depth: [20, 60], length: [30, 100], plate: [1.05, 2.5] }),
    value: ({ width: b, depth: h, length: l, plate: t }) => {
      const span = b + sqrt(over(l * l - h * h));
      const limits = [
        (8.94 * span) / (t * h * (0.4 * b + l / 6)),
        (2.2 * (8.94 * span) ** (4 / 3)) / (t * h * h * (0.2 * b + l / 12)),
        (0.0156 * b + 0.15) / t,
        (0.0156 * l + 0.15) / t,
        1.05 / t,
        h / l,
      ];
      return (
        (5.885 * t * (b + l)) / span + 15 * limits.reduce((sum, limit) => sum + min(1, over(limit - 1)), 0)
      );
    },
  },
  {
    // Williams & Otto 1960 as Roberts 1979 has it, $/s at the steady state; 190.98 at 1.8275, 4.787, 89.70
    name: 'williamsOtto',
    wanted: 'max',
    columns: numbers({ feedA: [1, 3], feedB: [2.5, 7], celsius: [70, 100] }),
    value: ({ feedA, feedB, celsius }) => {
      const kelvin = celsius + 273.15;
      const flow = feedA + feedB;
      const mass = 2105;
      const k1 = 1.6599e6 * exp(-6666.7 / kelvin) * mass;
      const k2 = 7.2117e8 * exp(-8333.3 / kelvin) * mass;
      const k3 = 2.6745e12 * exp(-11111 / kelvin) * mass;
      // A + B -> C, C + B -> P + E, P + C -> G, shares by mass
      const given = (/** @type {number} */ b) => {
        const a = feedA / (flow + k1 * b);
        const productOf = (/** @type {number} */ c) => (k2 * b * c) / (flow + 0.5 * k3 * c);
        const c = root((x) => 2 * k1 * a * b - x * (flow + 2 * k2 * b + k3 * productOf(x)), 0, 1);
        return { a, c, product: productOf(c), ester: (2 * k2 * b * c) / flow };
      };
      const b = root(
        (x) => {
          const { a, c } = given(x);
          return feedB - flow * x - k1 * a * x - k2 * x * c;
        },
        0,
        1,
      );
      const { product, ester } = given(b);
      return 1143.38 * product * flow + 25.92 * ester * flow - 76.23 * feedA - 114.34 * feedB;
    },
  },
  {
    // multiple disc clutch brake (Osyczka 1992; Deb & Srinivasan 2006), mass; 0.313656 at 70, 90, 1, 3 surfaces
    name: 'clutch',
    wanted: 'min',
    columns: [
      { name: 'inner', lower: 60, upper: 80, decimals: 0 },
      { name: 'outer', lower: 90, upper: 110, decimals: 0 },
      { name: 'disc', lower: 1, upper: 3, decimals: 1 },
      { name: 'force', lower: 600, upper: 1000, decimals: 0 },
      { name: 'surfaces', lower: 2, upper: 9, decimals: 0 },
    ],
    value: ({ inner, outer, disc, force, surfaces }) => {
      const [squares, cubes] = [outer ** 2 - inner ** 2, outer ** 3 - inner ** 3];
      const moment = ((0.5 * force * surfaces * cubes) / squares / 1000) * (2 / 3);
      const limits = [
        20 / max(1, outer - inner),
        ((surfaces + 1) * (disc + 0.5)) / 30,
        (55 * PI * 250) / (30 * (moment + 3)) / 15,
        60 / moment,
      ];
      return (
        PI * squares * disc * (surfaces + 1) * 7.8e-6 +
        limits.reduce((sum, limit) => sum + 2.5 * over(limit - 1), 0)
      );
    },
  },
  {
    // mW/cm2 of a fuel cell with a membrane (Mann et al. 2000), less what its gases cost to press
    name: 'fuelCell',
    rows: 1000,
    wanted: 'max',
    columns: numbers({
      ...{ current: [0.1, 1.4], kelvin: [303, 363], hydrogen: [0.6, 3], oxygen: [0.2, 2] },
      ...{ micrometres: [25, 180], water: [10, 22] },
    }),
    value: ({ current: j, kelvin: t, hydrogen, oxygen, micrometres, water }) => {
      const vapour = 10 ** (5.11564 - 1687.537 / (t - 42.98));
      const [h, o] = [max(0.05, hydrogen - 0.5 * vapour), max(0.02, oxygen - 0.21 * vapour)];
      const open = 1.229 - 0.85e-3 * (t - 298.15) + 4.3085e-5 * t * (log(h) + 0.5 * log(o));
      const dissolved = o / (5.08e6 * exp(-498 / t));
      const started =
        -0.9514 + 0.00312 * t + 7.4e-5 * t * log(dissolved) - 1.87e-4 * t * log(50.6 * max(0.01, j));
      const ohm =
        ((181.6 * (1 + 0.03 * j + 0.062 * (t / 303) ** 2 * j ** 2.5)) /
          (max(1, water - 0.634 - 3 * j) * exp((4.18 * (t - 303)) / t))) *
        micrometres *
        1e-4;
      const starved = -0.016 * log(max(1e-3, 1 - j / 1.5));
      return 1000 * j * (open + started - ohm * j - starved) - 25 * hydrogen - 40 * oxygen;
    },
  },
  {
    // Heier 1998: percent of the wind's power that a rotor takes, 48.0 at a tip ratio of 8.1; above 80 m/s its tip is too loud
    name: 'windTurbine',
    wanted: 'max',
    columns: numbers({ turns: [8, 20], radius: [25, 45], wind: [5, 14], pitch: [0, 15] }),
    value: ({ turns, radius, wind, pitch }) => {
      const tip = ((2 * PI * turns) / 60) * radius;
      const ratio = tip / wind;
      const inverse = 1 / (ratio + 0.08 * pitch) - 0.035 / (pitch ** 3 + 1);
      const share =
        0.5176 * (116 * inverse - 0.4 * pitch - 5) * exp(-21 * max(0.01, inverse)) + 0.0068 * ratio;
      return 100 * max(-0.1, share) - 0.6 * over(tip - 80);
    },
  },
]);

/** Temperature at which the cake collapses, and resistance beside that of sucrose. @type {Record<string, [number, number]>} */
const fillers = { sucrose: [-32, 1], trehalose: [-29.5, 1.15], lactose: [-31, 0.9], dextran: [-10, 2.1] };
/** Permeability to water in l/m2/h/bar and to salt in l/m2/h at 25 C. @type {Record<string, [number, number]>} */
const membranes = { sea: [1.1, 0.06], brackish: [3.4, 0.35], low: [5.5, 0.9], nano: [9, 6] };
/** Taylor's exponent, speed in m/min for a life of a minute, price of an edge. @type {Record<string, [number, number, number]>} */
const edges = {
  steel: [0.125, 75, 2],
  carbide: [0.25, 320, 4],
  coated: [0.28, 420, 6],
  ceramic: [0.4, 900, 14],
};

/** What a laboratory's history leaves: clumps around a first setting, around the best so far, or around a new try. */
export const histories = inFamily('clumped', [
  {
    // Pikal 1985: heat through a vial against ice that leaves through the dried cake; mg of cake per hour, if it stands
    name: 'freezeDryer',
    clumps: 5,
    wanted: 'max',
    columns: [
      ...numbers({ shelf: [-40, 30], torr: [0.04, 0.3], fill: [0.5, 2], solids: [3, 15] }),
      { name: 'filler', levels: Object.keys(fillers) },
    ],
    value: ({ shelf, torr, fill, solids, filler }) => {
      const [collapse, dense] = fillers[filler];
      const through = 2.75e-4 + (8.93e-4 * torr) / (1 + 0.46 * torr);
      const resistance = dense * (1.4 + 16 * (fill / 2) * (solids / 5)) * 0.6;
      const iceOf = (/** @type {number} */ celsius) => 2.698e10 * exp(-6144.96 / (celsius + 273.15));
      const grams = (/** @type {number} */ celsius) => (3.14 * (iceOf(celsius) - torr)) / resistance;
      // cal/h through 3.8 cm2 of glass against the heat of sublimation
      const at = root((t) => 3600 * through * 3.8 * (shelf - t) - 678 * grams(t), -70, 40);
      const hours = (3.14 * fill * (1 - solids / 100)) / max(0.005, grams(at)) + 9;
      return (31.4 * fill * solids * below(at, collapse, 0.8)) / hours - 0.02 * abs(shelf);
    },
  },
  {
    // Kimura & Sourirajan 1967: water and salt through a membrane, salt crowding at its face (Michaels 1968); sales are ours
    name: 'reverseOsmosis',
    clumps: 6,
    wanted: 'max',
    columns: [
      ...numbers({ bar: [5, 70], salt: [1, 35], celsius: [10, 45], cross: [0.05, 0.6] }),
      { name: 'membrane', levels: Object.keys(membranes) },
    ],
    value: ({ bar, salt, celsius, cross, membrane }) => {
      const warm = exp(2600 * (1 / 298.15 - 1 / (celsius + 273.15)));
      const [water, leak] = membranes[membrane].map((of) => of * warm);
      const film = 190 * max(0.01, cross) ** 0.8 * warm ** 0.5;
      // flux in l/m2/h; passage of salt by its own flux
      const passed = (/** @type {number} */ flux) => leak / (leak + flux);
      const flux = root(
        (j) => water * (bar - 0.76 * salt * exp(min(6, j / film)) * (1 - passed(j))) - j,
        0,
        400,
      );
      const fresh = below(salt * passed(flux) * exp(min(6, flux / film)), 0.5, 0.12);
      return flux * (0.25 + 0.75 * fresh) - 0.45 * bar - 45 * cross ** 2 + 0.35 * salt;
    },
  },
  {
    // Grove 1967: a film grows as fast as the surface takes or as gas arrives; silane that is hot and dense falls as powder
    name: 'siliconFilm',
    clumps: 4,
    wanted: 'max',
    columns: numbers({
      kelvin: [820, 1350],
      torr: [0.5, 100],
      flow: [0.2, 8],
      silane: [0.005, 0.2],
      turns: [0, 60],
    }),
    value: ({ kelvin, torr, flow, silane, turns }) => {
      const surface = 2.2e8 * exp(-1.6 / (8.617e-5 * kelvin));
      const arrives = (9 * (kelvin / 1000) ** 0.8 * sqrt(max(0.01, flow))) / (1 + torr / 40);
      const dense = torr * silane;
      const speed = (surface * arrives * dense) / (surface + arrives) / (1 + 0.05 * dense);
      const powder = below(log(max(1e-4, dense)) + (kelvin - 1150) / 70, 0.9, 0.35);
      const uneven = (surface / (surface + arrives)) * exp(-turns / 25) + 0.004 * turns;
      return 40 * log10(1 + speed) * (0.1 + 0.9 * powder) * (1 - 0.5 * min(1, uneven)) - 0.8 * flow;
    },
  },
  {
    // Taylor 1907: life of an edge by speed, feed and depth; cents for 10 cm3, dearer where rougher than 2 um or over 6 kW
    name: 'turning',
    clumps: 7,
    wanted: 'min',
    columns: [
      ...numbers({ speed: [20, 500], feed: [0.05, 0.5], depth: [0.3, 4], nose: [0.2, 1.6] }),
      { name: 'edge', levels: Object.keys(edges) },
    ],
    value: ({ speed, feed, depth, nose, edge }) => {
      const [n, most, price] = edges[edge];
      const cut = max(0.1, speed * feed * depth);
      const life = max(0.02, (most / speed / (feed / 0.2) ** 0.45 / (depth / 1.5) ** 0.2) ** (1 / n));
      const minutes = 10 / cut;
      const rough = (1000 * feed ** 2) / (32 * nose);
      const kilowatts = (2100 * cut * (feed / 0.2) ** -0.2) / 60000;
      const cost = 110 * minutes + (minutes / life) * (100 * price + 180);
      return (
        50 * log10(cost) +
        12 * over(log(rough / 2)) +
        30 * over(kilowatts / 6 - 1) +
        8 * over(depth / (2.5 * nose) - 1)
      );
    },
  },
]).map((truth) => ({ ...truth, history: true }));
