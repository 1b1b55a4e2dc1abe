/**
 * Options and presets of NEMO (algorithms/nemo.ts). How the defaults and the tuned preset were chosen:
 * docs/algorithms/nemo.md.
 */
import type { Preset } from '../algorithm.js';
import { choice, count, number, type OptionsOf, widths } from './option.js';
import { batchSize, box, startFrom } from './searchOptions.js';

export const nemoOptions = {
  bins: count(20, 'K, bins of the score (§4.2)'),
  batchSize: batchSize('M, designs that are optimised together'),
  hidden: widths([64, 64], 'Widths of the hidden layers, softplus'),
  estimator: choice('amortised+gp', 'Whose conditional NML the designs climb', {
    amortised: 'of K networks, one per bin, trained in lockstep with the designs (Alg. 2)',
    'amortised+gp': 'M designs that of K networks, and M more that of a Gaussian process',
    'last-layer': 'of the last layers of a few networks with m phantom rows, by its own gradient',
    gp: 'of a Gaussian process with m phantom rows, in closed form',
    both: 'half of the designs last layers, half a Gaussian process',
  }),
  phantomRows: number(
    'auto',
    'm, rows that claim a score of a design (Eq. 2 has one); amortised networks: if queryWeight says so',
    {
      least: 0,
      words: {
        auto: 'the m whose 80 % intervals hold 80 % of better rows that were hidden, and designs in turn with 0, 0.1, 1 and 10 times as many; amortised 30',
      },
    },
  ),
  proposal: choice('judged', 'Which designs are proposed', {
    judged:
      'of all designs met, the start included, and of variants of them, those that judges like best which were never climbed',
    last: 'those of the last step',
  }),
  settle: number(
    0.01,
    'The search is over where what judges expect of the designs they chose, in standard deviations of the score, rose by no more than this in 200 steps; without judges, what the models expect, of 0 to 1',
    {
      least: 0,
      none: 'never',
    },
  ),
  networks: count(4, 'Networks whose last layers are climbed'),
  modelRate: number(
    1e-4,
    `alpha_theta, Adam's rate for the models while designs move; 0 is the paper's "No NML"`,
    { least: 0 },
  ),
  designRate: number(
    'auto',
    "alpha_x, Adam's rate for the designs; columns are standardised, so 0.1 is a tenth of a standard deviation",
    { least: 0, words: { auto: '0.02, or 0.05 where all columns are classes' } },
  ),
  ascent: choice('adam', 'How designs climb', {
    adam: 'by Adam (Alg. 2)',
    mahalanobis:
      'in steps of Mahalanobis length alpha_x sqrt(P); beyond 512 parameters by their variances alone',
  }),
  targetRate: number(0.05, 'tau, share of the models that enters the targets at each iteration', {
    above: 0,
    most: 1,
  }),
  queryWeight: number(0.1, 'w, weight of the query against the mean of a minibatch', {
    least: 0,
    words: { row: '1/N (§4.1)', phantom: 'm/N' },
  }),
  modelSteps: count(1, 'Steps of the models per step of the designs'),
  pretrainSteps: count('auto', 'Steps of pretraining on the data alone; of last layers the most', {
    least: 0,
    words: { auto: '2000; beyond 400 parameters 800,000 over their number, at least 600' },
  }),
  pretrainRate: number(3e-3, "Adam's rate in pretraining", { least: 0 }),
  minibatch: count(128, 'Rows of data per step'),
  scale: number('bin', "s, scale of the logistic; the paper's text has 1", {
    above: 0,
    words: { bin: '1/K' },
  }),
  headroom: number(0.3, "Room above the best score, as a share of the scores' range", { least: 0 }),
  head: choice('logistic', 'What each network predicts', {
    logistic: 'a discretised logistic (§4.2)',
    categorical: 'a softmax over the bins (App. A.3)',
  }),
  objective: choice('mu', 'What designs climb', {
    mu: 'the mean over models of mu (Alg. 2), or of the expected bin for the categorical head',
    nml: 'the expected score under conditional NML (Alg. 1)',
  }),
  steps: count(1000, 'T, iterations after which a run ends'),
  startFrom: startFrom('Rows to begin at; the paper: best in its results, worst in its figures'),
  box: box(),
  twins: choice('part', 'Designs of classes that decode to the same sequence', {
    keep: 'stay as they are',
    part: 'all but one move to their next most likely one',
  }),
};

/** Options of NEMO; docs/algorithms/nemo.md has their table. */
export type NemoOptions = OptionsOf<typeof nemoOptions>;

const wide = { bins: 40, hidden: [256, 256], modelRate: 0.05, designRate: 0.1 };
const robots = { bins: 20, hidden: [64, 64], modelRate: 0.005, designRate: 0.001 };

/** Alg. 2 alone, stopped after 150 steps. Named, so that presets and ablations stay what they are. */
const lockstep = {
  estimator: 'amortised',
  proposal: 'last',
  settle: null,
  pretrainSteps: 2000,
  steps: 150,
} as const;

export const nemoPresets: Readonly<Record<string, Preset<NemoOptions>>> = {
  tuned: {
    help: "lockstep, chosen on rehearsals that hide the best rows; Superconductor's by a prototype that had seen its scorer",
    options: lockstep,
    byTask: {
      Superconductor: {
        hidden: [256, 256],
        modelRate: 5e-3,
        queryWeight: 0.3,
        pretrainSteps: 1500,
        pretrainRate: 1e-3,
        steps: 600,
      },
      MoleculeActivity: { steps: 15 },
      GFP: { ascent: 'mahalanobis', designRate: 0.16, minibatch: 64, pretrainSteps: 400, steps: 25 },
      HopperController: {
        designRate: 0.002,
        minibatch: 64,
        pretrainSteps: 400,
        pretrainRate: 3e-4,
        steps: 75,
      },
      AntMorphology: { ascent: 'mahalanobis', pretrainSteps: 400, steps: 25 },
      DKittyMorphology: { ascent: 'mahalanobis', pretrainSteps: 400, steps: 25 },
    },
  },
  paper: {
    help: 'what the paper prints (App. A.2.2, §4.2); what it leaves open is as in lockstep',
    options: { ...lockstep, queryWeight: 'row', scale: 1, headroom: 0, box: null, twins: 'keep' },
    byTask: {
      Superconductor: wide,
      MoleculeActivity: wide,
      GFP: { bins: 40, hidden: [64, 64], modelRate: 0.005, designRate: 0.01 },
      HopperController: robots,
      AntMorphology: robots,
      DKittyMorphology: robots,
    },
  },
  lockstep: {
    help: 'Alg. 2 alone, 150 steps, the designs of the last one: the defaults of versions before 0.3.0',
    options: lockstep,
  },
};
