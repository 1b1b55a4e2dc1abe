// Engineering of the third judging set: textbook problems with published formulas, their sources beside them. Limits of a
// problem are prices for passing them, high enough that the best design keeps them, so published optima hold.
import { inFamily, numbers } from './truths.mjs';

const { PI, exp, log, log10, sqrt, tanh, min, max } = Math;

/** What passes a limit. @param {number} value */
const over = (value) => max(0, value);
/** J / mol / K */
const GAS = 8.314;

/** Rate at 550 K, activation in kJ/mol, adsorption constant at 550 K. @type {Record<string, [number, number, number]>} */
const metals = { Pt: [4, 62, 1.6], Pd: [3, 70, 0.8], Ni: [1.6, 85, 0.5], Cu: [1, 55, 2.5] };

export const engineering = inFamily('engineering', [
  {
    // Sandgren 1990, Kannan & Kramer 1994; 5885.33 at 0.7782, 0.3846, 40.3196, 200
    name: 'pressureVessel',
    wanted: 'min',
    columns: numbers({ shell: [0.5, 2], head: [0.25, 2], radius: [30, 60], length: [50, 200] }),
    value: ({ shell: s, head: h, radius: r, length: l }) =>
      0.6224 * s * r * l +
      1.7781 * h * r * r +
      3.1661 * s * s * l +
      19.84 * s * s * r +
      15000 *
        (over((0.0193 * r) / s - 1) +
          over((0.00954 * r) / h - 1) +
          over(1 - (PI * r * r * l + (4 / 3) * PI * r ** 3) / 1296000)),
  },
  {
    // Golinski 1970; 2994.47
    name: 'speedReducer',
    wanted: 'min',
    columns: [
      ...numbers({ face: [2.6, 3.6], module: [0.7, 0.8] }),
      { name: 'teeth', lower: 17, upper: 28, decimals: 0 },
      ...numbers({ shaft1: [7.3, 8.3], shaft2: [7.3, 8.3], bore1: [2.9, 3.9], bore2: [5, 5.5] }),
    ],
    value: ({ face: b, module: m, teeth: z, shaft1: l1, shaft2: l2, bore1: d1, bore2: d2 }) => {
      const weight =
        0.7854 * b * m * m * (3.3333 * z * z + 14.9334 * z - 43.0934) -
        1.508 * b * (d1 ** 2 + d2 ** 2) +
        7.4777 * (d1 ** 3 + d2 ** 3) +
        0.7854 * (l1 * d1 ** 2 + l2 * d2 ** 2);
      const limits = [
        27 / (b * m * m * z),
        397.5 / (b * m * m * z * z),
        (1.93 * l1 ** 3) / (m * z * d1 ** 4),
        (1.93 * l2 ** 3) / (m * z * d2 ** 4),
        sqrt(((745 * l1) / (m * z)) ** 2 + 16.9e6) / (110 * d1 ** 3),
        sqrt(((745 * l2) / (m * z)) ** 2 + 157.5e6) / (85 * d2 ** 3),
        (m * z) / 40,
        (5 * m) / b,
        b / (12 * m),
        (1.5 * d1 + 1.9) / l1,
        (1.1 * d2 + 1.9) / l2,
      ];
      return weight + limits.reduce((sum, limit) => sum + 5000 * over(limit - 1), 0);
    },
  },
  {
    // Beightler & Phillips 1976, gas transmission, in 10,000 a year; 296.49 at 50, 1.178, 24.59, 0.388
    name: 'gasCompressor',
    wanted: 'min',
    columns: numbers({ spacing: [20, 50], ratio: [1, 3], diameter: [20, 50], drop: [0.1, 2] }),
    value: ({ spacing: x1, ratio: x2, diameter: x3, drop: x4 }) =>
      (8.61e5 * sqrt(x1) * x2 * x3 ** (-2 / 3) * x4 ** -0.5 +
        3.69e4 * x3 +
        (7.72e8 * x2 ** 0.219) / x1 -
        765.43e6 / x1) /
        1e4 +
      600 * over((x4 + 1) / x2 ** 2 - 1),
  },
  {
    // yield of B in a stirred tank, A -> B -> C and 2 A -> D, constants of Klatt & Engell 1998
    name: 'vanDeVusse',
    wanted: 'max',
    columns: numbers({ celsius: [80, 160], dilution: [1, 60], feed: [1, 6] }),
    value: ({ celsius, dilution: q, feed }) => {
      const k1 = 1.287e12 * exp(-9758.3 / (celsius + 273.15));
      const k3 = 9.043e9 * exp(-8560 / (celsius + 273.15));
      const a = (sqrt((k1 + q) ** 2 + 4 * k3 * q * feed) - k1 - q) / (2 * k3);
      return (100 * k1 * a) / ((q + k1) * feed);
    },
  },
  {
    // Temkin & Pyzhev's rate of ammonia synthesis, constants of Murase, Roberts & Converse 1970
    name: 'ammonia',
    wanted: 'max',
    columns: numbers({
      kelvin: [620, 800],
      pressure: [150, 300],
      ratio: [1, 6],
      ammonia: [0.12, 0.25],
      inert: [0, 0.15],
    }),
    value: ({ kelvin, pressure, ratio, ammonia, inert }) => {
      const rest = pressure * (1 - ammonia - inert);
      const [h2, n2, nh3] = [(rest * ratio) / (1 + ratio), rest / (1 + ratio), pressure * ammonia];
      const forward = 1.79e4 * exp(-87090 / (GAS * kelvin)) * ((n2 * h2 ** 1.5) / nh3);
      return forward - 2.57e16 * exp(-198464 / (GAS * kelvin)) * (nh3 / h2 ** 1.5);
    },
  },
  {
    // Fenske, Underwood and Gilliland (Eduljee's form) for a column of two parts and a solvent; prices are ours
    name: 'distillation',
    wanted: 'max',
    columns: numbers({ reflux: [0.8, 8], top: [0.9, 0.998], bottom: [0.005, 0.1], solvent: [0, 0.6] }),
    value: ({ reflux, top, bottom, solvent }) => {
      const alpha = 1.5 + 1.8 * solvent;
      const feed = 0.45;
      const least = (top / feed - (alpha * (1 - top)) / (1 - feed)) / (alpha - 1);
      const stages = log((top / (1 - top)) * ((1 - bottom) / bottom)) / log(alpha);
      const share = max(0.002, (reflux - least) / (reflux + 1));
      const y = 0.75 * (1 - share ** 0.5668);
      const n = (stages + y) / (1 - y);
      const product = (feed - bottom) / (top - bottom);
      const pure = 1 / (1 + exp(-(top - 0.96) / 0.008));
      const short = over(least - reflux) / least;
      return (
        product * (120 + 90 * pure) * (1 - 0.8 * short) -
        0.7 * n -
        9 * product * (reflux + 1) * (1 + 0.6 * solvent)
      );
    },
  },
  {
    // log of Ioffe's figure of merit zT of a semiconductor without degeneracy; mobility falls with T^1.5 and m^2.5
    name: 'thermoelectric',
    wanted: 'max',
    columns: numbers({
      level: [-4, 1.5],
      kelvin: [300, 900],
      mass: [0.6, 1.6],
      mobility: [100, 500],
      lattice: [1, 3],
    }),
    value: ({ level, kelvin, mass, mobility, lattice }) => {
      const states = 2 * (2 * PI * mass * 9.109e-31 * 1.381e-23 * kelvin) ** 1.5 * 6.626e-34 ** -3;
      const mu = mobility * 1e-4 * (kelvin / 300) ** -1.5 * mass ** -2.5;
      const sigma = states * 1.602e-19 * mu * exp(level);
      const volt = (1.381e-23 / 1.602e-19) * max(0.01, 2 - level);
      const lorenz = 2 * (1.381e-23 / 1.602e-19) ** 2;
      // carriers of the other sign, beyond 600 K
      const mixed = 1 / (1 + exp((kelvin - 690) / 45));
      return log10((mixed * volt ** 2 * sigma * kelvin) / (lattice + lorenz * sigma * kelvin));
    },
  },
  {
    // two spills of a chemical into a channel, 1.5 along at t = 40 (Bliznyuk et al. 2008)
    name: 'spill',
    wanted: 'max',
    columns: numbers({ mass: [7, 13], diffusion: [0.02, 0.12], place: [0.01, 3], delay: [30.01, 30.295] }),
    value: ({ mass, diffusion: d, place, delay }) => {
      const left = max(0.1, 40 - delay);
      return (
        (mass / sqrt(d * 40)) * exp(-(1.5 ** 2) / (4 * d * 40)) +
        (mass / sqrt(d * left)) * exp(-((1.5 - place) ** 2) / (4 * d * left))
      );
    },
  },
  {
    // log deflection of an I-beam (Gold & Krishnamurty 1997); log10 of 0.0130741 at 80, 50, 0.9, 2.3218
    name: 'iBeam',
    wanted: 'min',
    columns: numbers({ height: [20, 80], width: [10, 50], web: [0.9, 5], flange: [0.9, 5] }),
    value: ({ height: h, width: b, web: tw, flange: tf }) => {
      const inner = h - 2 * tf;
      const bend = (tw * inner ** 3) / 12 + (b * tf ** 3) / 6 + 2 * b * tf * ((h - tf) / 2) ** 2;
      const stress =
        (18e4 * h) / (tw * inner ** 3 + 2 * b * tw * (4 * tf * tf + 3 * h * inner)) +
        (15e3 * b) / (inner * tw ** 3 + 2 * tw * b ** 3);
      const area = 2 * b * tf + tw * inner;
      return log10(5000 / bend) + 3 * over(area / 300 - 1) + 0.2 * over(stress / 16 - 1);
    },
  },
  {
    // Thiele's effectiveness of a sphere, Langmuir-Hinshelwood rate, Ergun's pressure drop (Fogler, Elements)
    name: 'catalystPellet',
    wanted: 'max',
    columns: [
      ...numbers({
        radius: [0.4, 4],
        kelvin: [530, 630],
        conc: [0.2, 5],
        pores: [0.3, 0.7],
        flow: [0.3, 1.5],
      }),
      { name: 'metal', levels: Object.keys(metals) },
    ],
    value: ({ radius, kelvin, conc, pores, flow, metal }) => {
      const [k0, act, adsorb] = metals[metal];
      const lean = 1 / kelvin - 1 / 550;
      const k = k0 * exp((-act * 1000 * lean) / GAS) * (1 - pores);
      const a = adsorb * exp((45000 * lean) / GAS) * conc;
      const phi = (radius / 3) * sqrt(k / (2.2 * pores ** 1.5));
      const eta = (1 / tanh(3 * phi) - 1 / (3 * phi)) / phi;
      const mixing = 1 - exp(-1.5 * flow);
      const drop = 0.9 * (flow / radius ** 2) + 1.1 * (flow ** 2 / radius);
      const sinter = 1 / (1 + exp((kelvin - 605) / 12));
      return (160 * eta * k * a * mixing * sinter) / (1 + a) ** 2 - 2 * drop;
    },
  },
]);

/** Roughness in m, price. @type {Record<string, [number, number]>} */
const pipes = { steel: [4.5e-5, 1], PVC: [1.5e-6, 1.4], concrete: [1e-3, 0.7] };

/** What a laboratory's history leaves: clumps around a first setting, around the best so far, or around a new try. */
export const histories = inFamily('clumped', [
  {
    // Lapple 1951: share of 5 um dust that a cyclone keeps, less what pressure and turns cost
    name: 'cyclone',
    clumps: 5,
    wanted: 'max',
    columns: numbers({
      diameter: [0.1, 1],
      inlet: [5, 30],
      turns: [2, 8],
      density: [800, 3000],
      hot: [20, 400],
    }),
    value: ({ diameter, inlet, turns, density, hot }) => {
      const kelvin = hot + 273;
      const viscosity = (1.458e-6 * kelvin ** 1.5) / (kelvin + 110.4);
      const cut = sqrt((9 * viscosity * diameter) / 4 / (2 * PI * turns * inlet * density));
      const drop = 4 * (353 / kelvin) * inlet ** 2;
      const gas = inlet * diameter ** 2;
      return 100 / (1 + (cut / 5e-6) ** 2) - 0.008 * drop - 0.4 * turns ** 1.5 + 9 * log(gas / 0.4 + 1);
    },
  },
  {
    // log cost of a cubic metre through 1 km: friction by Swamee & Jain 1976, viscosity by Vogel, capital with D^1.5
    name: 'pipeline',
    clumps: 6,
    wanted: 'min',
    columns: [
      ...numbers({ diameter: [0.05, 0.6], flow: [0.005, 0.15], celsius: [10, 80], pump: [0.4, 1] }),
      { name: 'pipe', levels: Object.keys(pipes) },
    ],
    value: ({ diameter: d, flow, celsius, pump, pipe }) => {
      const [rough, price] = pipes[pipe];
      const viscosity = 2.414e-5 * 10 ** (247.8 / (celsius + 133.15));
      const speed = flow / ((PI / 4) * d * d);
      const re = (1000 * speed * d) / viscosity;
      const friction = 0.25 / log10(rough / (3.7 * d) + 5.74 / re ** 0.9) ** 2;
      const efficiency = 0.82 - 1.6 * (pump - 0.75) ** 2;
      const watts = ((friction * 1000) / d) * 500 * speed ** 2 * (flow / efficiency);
      const yearly =
        60000 * price * d ** 1.5 + 8.76 * 0.11 * watts + 2000 * (flow * (celsius - 10)) + 900 * pump;
      return log10(yearly / (flow * 3.15e7));
    },
  },
  {
    // Breguet's range in km of a jet, standard atmosphere, drag rise after Lock
    name: 'jetRange',
    clumps: 4,
    wanted: 'max',
    columns: numbers({ speed: [120, 290], km: [2, 14], aspect: [6, 14], area: [70, 170], fuel: [8, 22] }),
    value: ({ speed, km, aspect, area, fuel }) => {
      const kelvin = max(216.65, 288.15 - 6.5 * km);
      const thin = (max(216.65, 288.15 - 6.5 * min(km, 11)) / 288.15) ** 4.2559;
      const density = 1.225 * thin * exp(-over(km - 11) / 6.342);
      const empty = 30 + 0.0055 * area * aspect + 0.02 * area + 0.12 * fuel;
      const push = 0.5 * density * speed ** 2 * area;
      const lift = ((empty + 0.5 * fuel) * 9806) / push;
      const mach = speed / sqrt(1.4 * 287 * kelvin);
      const critical = 0.87 - 0.1 * lift;
      const drag =
        0.019 + lift ** 2 / (PI * 0.8 * aspect) + 20 * over(mach - critical) ** 4 + 0.3 * over(lift - 1) ** 2;
      return (speed / (1.7e-4 * 1000)) * (lift / drag) * log((empty + fuel) / empty);
    },
  },
  {
    // Langmuir, Hinshelwood: A and B on the same sites, adsorbed less where it is hot
    name: 'hydrogenation',
    clumps: 7,
    wanted: 'max',
    columns: [
      ...numbers({ olefin: [0.1, 10], hydrogen: [0.1, 20], kelvin: [320, 480], water: [0, 5] }),
      { name: 'carrier', levels: ['carbon', 'alumina', 'silica', 'titania'] },
    ],
    value: ({ olefin, hydrogen, kelvin, water, carrier }) => {
      const lean = 1 / kelvin - 1 / 400;
      const c = ['carbon', 'alumina', 'silica', 'titania'].indexOf(carrier);
      const k = [60, 85, 70, 95][c] * exp((-[42000, 50000, 46000, 58000][c] * lean) / GAS);
      const a = [0.5, 1.4, 0.8, 2][c] * exp((52000 * lean) / GAS) * olefin;
      const b = 0.35 * exp((30000 * lean) / GAS) * hydrogen;
      const w = [0.05, 0.6, 0.3, 0.2][c] * exp((44000 * lean) / GAS) * water;
      const coke = 1 / (1 + exp((kelvin - [440, 425, 450, 415][c]) / 9));
      return (k * a * b * coke) / (1 + a + b + w) ** 2 + 0.4 * water;
    },
  },
  {
    // van Deemter 1956 with Knox's terms, retention by Snyder: resolution less time and what passes 400 bar
    name: 'vanDeemter',
    clumps: 5,
    wanted: 'max',
    columns: numbers({
      grain: [1.5, 10],
      speed: [0.3, 6],
      column: [3, 30],
      organic: [0.2, 0.8],
      celsius: [20, 70],
    }),
    value: ({ grain, speed, column, organic, celsius }) => {
      // um, mm/s, cm; diffusion in 1e-9 m2/s
      const viscosity = 0.9e-3 * (1 + 1.2 * organic * (1 - organic)) * exp(-0.014 * (celsius - 25));
      const diffusion = (0.9e-3 / viscosity) * ((celsius + 273) / 298);
      const height = 1.6 * grain + (1.4 * diffusion) / speed + (0.09 * grain ** 2 * speed) / diffusion;
      const plates = (column * 1e4) / height;
      const kept = exp(3.9 - 8 * organic - 0.008 * (celsius - 25));
      const apart = 1.06 + 0.05 * (1 - organic) - 0.0006 * (celsius - 25);
      const minutes = ((column * 10) / speed / 60) * (1 + kept);
      const bar = (500 * viscosity * speed * 1e-3 * column * 1e-2) / (grain * 1e-6) ** 2 / 1e5;
      return (
        (sqrt(plates) / 4) * ((apart - 1) / apart) * (kept / (1 + kept)) -
        0.03 * minutes -
        1.2 * log(1 + exp((bar - 400) / 60))
      );
    },
  },
]).map((truth) => ({ ...truth, history: true }));
