// Engineering of the fifth judging set: textbook problems with published formulas, their sources beside them. Limits of a
// problem are prices for passing them, high enough that the best design keeps them, so published optima hold.
import { root } from './fourthEngineering.mjs';
import { inFamily, numbers } from './truths.mjs';

const { PI, exp, log, log10, sqrt, abs, cos, tan, min, max } = Math;

/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);
/** A share that falls from 1 to 0. @param {number} value @param {number} at @param {number} width */
const below = (value, at, width) => 1 / (1 + exp((value - at) / width));

/** Permeance to carbon dioxide in GPU, and how much less methane passes. @type {Record<string, [number, number]>} */
const films = {
  acetate: [60, 22],
  polyimide: [85, 32],
  polysulfone: [45, 26],
  silicone: [900, 3.4],
  ladder: [600, 12],
};

export const engineering = inFamily('engineering', [
  {
    // Siddall 1982, a thrust bearing carried by oil, in 100 ft-lb/s; 16.2544 at 5.389013, 0.566767, 5.358697, 2.269656
    name: 'thrustBearing',
    wanted: 'min',
    columns: numbers({ recess: [2, 8], land: [0.2, 4], viscosity: [3, 9.5], flow: [1, 8] }),
    value: ({ recess, land, viscosity, flow }) => {
      const micro = viscosity * 1e-6;
      const outer = recess + land;
      const ratio = log(outer / recess);
      const warm = 2 * (10 ** ((log10(log10(8.122e6 * micro + 0.8)) - 10.04) / -3.55) - 560);
      const friction = 9336 * flow * 0.0307 * 0.5 * max(0.5, warm);
      const film =
        ((2 * PI * 750) / 60) ** 2 * ((2 * PI * micro) / friction) * ((outer ** 4 - recess ** 4) / 4);
      const psi = ((6 * micro * flow) / (PI * film ** 3)) * ratio;
      const ring = outer ** 2 - recess ** 2;
      const load = ((PI * psi) / 2) * (ring / ratio);
      const limits = [
        101000 / load,
        psi / 1000,
        warm / 50,
        0.001 / film,
        ((0.0307 / (386.4 * psi)) * (flow / (2 * PI * outer * film))) / 0.001,
        load / (PI * ring) / 5000,
      ];
      return (
        ((flow * min(psi, 3000)) / 0.7 + friction) / 1200 +
        25 * limits.reduce((sum, limit) => sum + min(1, over(limit - 1)), 0)
      );
    },
  },
  {
    // Avriel & Williams 1971, area of three exchangers; 7049.248 at 579.31, 1359.97, 5109.97, 182.02, 295.60, 217.98, 286.42, 395.60
    name: 'heatNetwork',
    wanted: 'min',
    columns: numbers({
      ...{ area1: [100, 2000], area2: [500, 3000], area3: [2000, 8000] },
      ...{ cold1: [100, 300], cold2: [200, 400], hot1: [100, 300], hot2: [200, 400], hot3: [300, 500] },
    }),
    value: ({ area1, area2, area3, cold1, cold2, hot1, hot2, hot3 }) =>
      area1 +
      area2 +
      area3 +
      8000 *
        (over(0.0025 * (cold1 + hot1) - 1) +
          over(0.0025 * (cold2 + hot2 - cold1) - 1) +
          over(0.01 * (hot3 - cold2) - 1)) +
      0.02 *
        (over(833.33252 * cold1 + 100 * area1 - 83333.333 - area1 * hot1) +
          over(1250 * cold2 + area2 * cold1 - area2 * hot2 - 1250 * cold1) +
          over(1250000 + area3 * cold2 - area3 * hot3 - 2500 * cold2)),
  },
  {
    // kW won from hot oil by water in two passes: Dittus & Boelter inside, Kern 1950 outside, effectiveness of Kays & London; prices are ours
    name: 'heatExchanger',
    wanted: 'max',
    columns: [
      { name: 'tubes', lower: 20, upper: 200, decimals: 0 },
      ...numbers({ bore: [8, 30], length: [1, 6], water: [1, 12], baffle: [0.08, 0.6] }),
    ],
    value: ({ tubes, bore, length, water, baffle }) => {
      const d = bore / 1000;
      const speed = water / (1000 * (PI / 4) * d ** 2 * (tubes / 2));
      const inside = 0.023 * ((speed * d) / 0.7e-6) ** 0.8 * 4.6 ** 0.4 * (0.62 / d);
      const shell = 1.35 * 1.25 * (d + 0.003) * sqrt(tubes);
      const oil = 4 / (850 * shell * 0.2 * max(0.02, baffle));
      const outside = 0.36 * (0.13 / d) * ((oil * d) / 8e-6) ** 0.55 * 120 ** (1 / 3);
      const area = PI * (d + 0.003) * length * tubes;
      const [least, ratio] = [min(4 * 2.1, water * 4.18), (4 * 2.1) / (water * 4.18)];
      const c = min(ratio, 1 / ratio);
      const units = area / (1 / inside + 1 / outside + 4e-4) / (1000 * least);
      const bend = exp(-units * sqrt(1 + c * c));
      const share = 2 / (1 + c + (sqrt(1 + c * c) * (1 + bend)) / (1 - bend));
      const pumped = (0.03 * 2 * length * 500 * speed ** 2 * water) / d / 1000 / 700;
      const pressed = (4 * 0.25 * (length / max(0.02, baffle)) * (shell / d) * 0.5 * oil ** 2) / 700;
      return share * least * 90 - 11 * area ** 0.75 - 4 * (pumped + pressed) - 6 * water;
    },
  },
  {
    // R134a by Clausius, Clapeyron and Watson 1943, work of a polytrope; pence an hour for a room at -2 C, air at 30 C
    name: 'vapourCompression',
    wanted: 'max',
    columns: numbers({
      ...{ evaporating: [-20, -3], condensing: [32, 65], superheat: [0, 25], subcooling: [0, 20] },
      ...{ coldFan: [0.2, 1.5], warmFan: [0.2, 1.5] },
    }),
    value: ({ evaporating, condensing, superheat, subcooling, coldFan, warmFan }) => {
      const bar = (/** @type {number} */ celsius) =>
        2.93 * exp(2654.5 * (1 / 273.15 - 1 / (celsius + 273.15)));
      const ratio = bar(condensing) / bar(evaporating);
      const latent = 198.6 * ((101.05 - evaporating) / 101.05) ** 0.38;
      const liquid = 1.35 * (condensing - subcooling - evaporating);
      const cold = latent + 0.85 * superheat * 0.6 - liquid;
      const suction = evaporating + 273.15 + superheat;
      const wet = below(superheat, 3, 1.5);
      const work =
        ((1.11 / 0.11) * 0.0815 * suction * (ratio ** (0.11 / 1.11) - 1)) /
        max(0.2, 0.74 - 0.025 * ratio - 0.15 * wet);
      const taken = 0.9 * max(0.05, coldFan) ** 0.6 * over(-2 - evaporating) * (1 - 0.012 * superheat);
      const power = taken * (work / cold);
      const left = 1.1 * max(0.05, warmFan) ** 0.6 * over(condensing - 30) * (1 - 0.015 * subcooling);
      const fans = 0.5 * coldFan ** 3 + 0.5 * warmFan ** 3;
      return 9 * taken - 18 * (power + fans) - 4 * over(taken + power - left);
    },
  },
  {
    // a gas turbine with cooler between and regenerator (Cengel & Boles); blades need air above 1250 K, prices are ours
    name: 'brayton',
    wanted: 'max',
    columns: numbers({
      ratio: [2, 30],
      kelvin: [1000, 1750],
      regenerator: [0, 0.92],
      between: [0, 1],
      outside: [260, 315],
    }),
    value: ({ ratio, kelvin, regenerator, between, outside }) => {
      const k = 0.286;
      const r = max(1.05, ratio);
      const half = outside * (1 + (sqrt(r) ** k - 1) / 0.86);
      const start = half - 0.9 * between * (half - outside);
      const pressed = start * (1 + (sqrt(r) ** k - 1) / 0.86);
      const air = 1 - 0.22 * (1 - exp(-over(kelvin - 1250) / 300));
      const exhaust = kelvin * (1 - 0.9 * (1 - (0.96 * r * (1 - 0.06 * regenerator)) ** -k));
      const work = 1.08 * (air * (kelvin - exhaust) - (half - outside) - (pressed - start));
      const warmed = pressed + regenerator * over(exhaust - pressed);
      const heat = 1.12 * max(50, air * (kelvin - warmed));
      const dear =
        4 * (regenerator / (1.02 - regenerator)) ** 0.7 + 2 * between + 0.012 * over(kelvin - 1300);
      return (100 * work) / heat + 0.03 * work - dear;
    },
  },
  {
    // carbon dioxide out of methane through one stage that is mixed (Weller & Steiner 1950); cents for a cubic metre, prices are ours
    name: 'gasMembrane',
    wanted: 'max',
    columns: [
      ...numbers({ feedBar: [5, 60], permeateBar: [1, 5], area: [0.1, 4], acid: [0.1, 0.45] }),
      { name: 'film', levels: Object.keys(films) },
    ],
    value: ({ feedBar, permeateBar, area, acid, film }) => {
      const [fast, selects] = films[film];
      // swollen by the acid gas, a film selects less
      const alpha = 1 + (selects - 1) / (1 + 0.02 * feedBar * acid);
      const through = (fast * area) / 9000;
      const permeateOf = (/** @type {number} */ x) =>
        root(
          (y) =>
            alpha * (feedBar * x - permeateBar * y) * (1 - y) -
            y * over(feedBar * (1 - x) - permeateBar * (1 - y)),
          0,
          1,
        );
      const cutOf = (/** @type {number} */ x) => {
        const y = permeateOf(x);
        const acidPassed = through * over(feedBar * x - permeateBar * y);
        return { y, cut: min(0.95, acidPassed / max(1e-6, y)) };
      };
      const x = root(
        (z) => {
          const { y, cut } = cutOf(z);
          return acid - cut * y - (1 - cut) * z;
        },
        1e-5,
        acid,
      );
      const { y, cut } = cutOf(x);
      const kept = ((1 - cut) * (1 - x)) / (1 - acid);
      const clean = below(x, 0.04, 0.012);
      const lost = cut * (1 - y);
      return (
        40 * kept * (0.15 + 0.85 * clean) - 12 * lost - 1.6 * log(feedBar) - 0.9 * area + 0.3 * permeateBar
      );
    },
  },
  {
    // Rachford & Rice 1952, Antoine's constants: benzene, toluene and xylene, boiled and cooled once; recovered and pure
    name: 'flash',
    wanted: 'max',
    columns: numbers({
      boil: [75, 140],
      cool: [60, 125],
      bar: [0.5, 2.5],
      benzene: [0.2, 0.6],
      toluene: [0.1, 0.4],
    }),
    value: ({ boil, cool, bar, benzene, toluene }) => {
      const first = flashed([benzene, toluene, max(0, 1 - benzene - toluene)], boil, bar);
      const second = flashed(first.vapour, cool, bar);
      const got = (first.share * second.share * second.vapour[0]) / benzene;
      const pure = second.vapour[0];
      return (
        100 * got * (0.3 + 0.7 * below(0.78, pure, 0.04)) -
        14 * first.share * (1 + over(boil - 110) / 40) -
        12 * first.share * (1 - second.share) -
        3 * abs(log(bar))
      );
    },
  },
  {
    // decibels of a dish: aperture and spill-over of a cos^n feed (Balanis), roughness by Ruze 1966, wind by price
    name: 'dish',
    wanted: 'max',
    columns: numbers({
      metres: [0.5, 6],
      GHz: [2, 40],
      focus: [0.25, 1.2],
      rough: [0.05, 1.5],
      feed: [1, 12],
    }),
    value: ({ metres, GHz, focus, rough, feed }) => {
      const wave = 0.3 / GHz;
      const edge = 2 * Math.atan(1 / (4 * max(0.1, focus)));
      let sum = 0;
      for (let i = 0; i < 40; i++) {
        const at = (edge * (i + 0.5)) / 40;
        sum += sqrt(2 * (feed + 1) * max(0, cos(at)) ** feed) * tan(at / 2) * (edge / 40);
      }
      const aperture = (sum / tan(edge / 2)) ** 2;
      const smooth = exp(-(((4 * PI * rough) / 1000 / wave) ** 2));
      const gain = 10 * log10(((PI * metres) / wave) ** 2 * max(1e-3, aperture) * max(1e-4, smooth));
      const wide = (70 * wave) / metres;
      const swings = 12 * min(1.5, (0.06 / wide) ** 2);
      return (
        gain -
        swings -
        0.25 * GHz ** 0.9 -
        0.35 * metres ** 1.6 * (1 + 0.12 / max(0.02, rough)) -
        focus * metres * 0.2
      );
    },
  },
  {
    // Sallen & Key 1955 and a pole of its own against a filter of third order at 1 kHz (Butterworth 1930), dB; 0 at 15.9155, 15.9155, 15.9155, 20, 5, 10
    name: 'sallenKey',
    wanted: 'min',
    columns: numbers({
      ...{ kohm1: [2, 40], kohm2: [2, 40], kohm3: [2, 40] },
      ...{ nano1: [2, 50], nano2: [2, 50], nano3: [2, 50] },
    }),
    value: ({ kohm1, kohm2, kohm3, nano1, nano2, nano3 }) => {
      const at = [0.2, 0.4, 0.7, 0.9, 1.1, 1.4, 2, 4, 8];
      const squares = at.map((kHz) => {
        // 1e-6 s for kohm times nF
        const w = 2 * PI * kHz * 1e-3;
        const real = 1 - w * w * kohm1 * kohm2 * nano1 * nano2;
        const imaginary = w * nano2 * (kohm1 + kohm2);
        const loss = 10 * log10((real ** 2 + imaginary ** 2) * (1 + (w * kohm3 * nano3) ** 2));
        return (loss - 10 * log10(1 + kHz ** 6)) ** 2;
      });
      return sqrt(squares.reduce((a, b) => a + b) / at.length);
    },
  },
]);

/** Vapour of a feed of benzene, toluene and xylene. @param {number[]} feed @param {number} celsius @param {number} bar */
function flashed(feed, celsius, bar) {
  const antoine = [
    [6.90565, 1211.033, 220.79],
    [6.95464, 1344.8, 219.482],
    [6.99052, 1453.43, 215.307],
  ];
  const k = antoine.map(([a, b, c]) => 10 ** (a - b / (c + celsius)) / (750.06 * max(0.1, bar)));
  const share = root(
    (v) => feed.reduce((sum, z, i) => sum + (z * (k[i] - 1)) / (1 + v * (k[i] - 1)), 0),
    0,
    1,
  );
  const parts = feed.map((z, i) => (z * k[i]) / (1 + share * (k[i] - 1)));
  const all = parts.reduce((a, b) => a + b);
  return { share, vapour: parts.map((part) => part / all) };
}
