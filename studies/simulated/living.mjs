// Processes with life in them: a bacterial promoter, a beer.
import { best } from './best.mjs';
import { bump, look, step } from './curves.mjs';
import { simulated } from './process.mjs';
import { category, decades, dna, either, number, whole } from './settings.mjs';

/** Two boxes of six letters, 17 apart: what each letter costs (in kT) where it departs from the consensus. */
const boxes = [
  { at: 0, consensus: 'TTGACA', costs: [0.9, 1.1, 1, 0.7, 0.5, 0.4] },
  { at: 23, consensus: 'TATAAT', costs: [0.8, 1.2, 0.5, 0.6, 0.5, 1.2] },
];
const near = { A: 0.35, T: 0.35, C: 0.9, G: 1 };
const hostLoad = { K12: 1, BL21: 1.25, W3110: 0.85 };

export const promoter = simulated({
  name: 'promoter',
  title: 'A bacterial promoter',
  story:
    'Twenty-nine letters of DNA decide how strongly a gene is read; too strong a promoter burdens the cell. ' +
    'The library holds mutants of four parents.',
  settings: [
    dna('promoter', 29),
    decades('inducer', 'mmol/L', 0.001, 10, 4),
    category('host', 'K12', 'BL21', 'W3110'),
    number('temp', '°C', 20, 42),
  ],
  goal: { name: 'fluorescence', unit: 'a.u.', wanted: 'max', decimals: 0, least: 0 },
  points: [
    { promoter: 'TTTACGCTAGGCTCACGATCGTATGATCT', inducer: 0.05, host: 'K12', temp: 37 },
    { promoter: 'CTGACAGCGAGCTCAGTCCTAGGTATAAC', inducer: 0.5, host: 'BL21', temp: 30 },
    { promoter: 'TTGCCAGCTAGCTAAATCCTCGGTACTGT', inducer: 0.1, host: 'W3110', temp: 37 },
    { promoter: 'ATGATTGAAGCATGGCCTTAGCGTTTAAT', inducer: 0.02, host: 'K12', temp: 33 },
  ],
  rows: 1200,
  noise: 60,
  bestKnownTruth: best.promoter,
  response(n, t) {
    const letters = t('promoter');
    let cost = 0;
    for (const { at, consensus, costs } of boxes) {
      const wrong = costs.map((full, i) =>
        letters[at + i] === consensus[i] ? 0 : full * look(near, letters[at + i]),
      );
      // Two wrong letters side by side cost more than the two alone.
      wrong.forEach((penalty, i) => {
        cost += penalty + 0.5 * penalty * (wrong[i + 1] ?? 0);
      });
    }
    const spacer = letters.slice(6, 23);
    const weak = [...spacer].filter((letter) => letter === 'A' || letter === 'T').length / 17;
    cost += 3 * (weak - 0.6) ** 2;
    // TG in front of the second box makes up for much of the first.
    if (letters.slice(20, 22) === 'TG') cost -= 0.7 * Math.min(1, cost / 3);
    // Runs of one letter make the library's hairpins.
    cost += 0.9 * (spacer.match(/(.)\1{3,}/g)?.length ?? 0) + 0.6 * (spacer.match(/GGCC|GCGC/g)?.length ?? 0);
    const dose = n('inducer') ** 1.4 / (n('inducer') ** 1.4 + 0.12 ** 1.4);
    const reading = 6 * Math.exp(-0.62 * cost) * (0.04 + 0.96 * dose) * bump(n('temp'), 35.5, 9);
    const load = reading * look(hostLoad, t('host'));
    const poison = 1 / (1 + (n('inducer') / 3) ** 2);
    const alive = 1 - 0.75 * step(load, 4.4, 0.12);
    return (2100 * load * alive * poison) / (1 + 0.1 * load ** 2);
  },
});

const ideal = { ale: 19.5, lager: 11, wheat: 21.5, saison: 25.5 };
const attenuation = { ale: 0.75, lager: 0.78, wheat: 0.73, saison: 0.88 };
const charm = { ale: 1, lager: 1.06, wheat: 0.96, saison: 1.1 };
const protein = { spring: 0, winter: 0.5, import: -0.4 };

export const brewing = simulated({
  name: 'brewing',
  title: 'A pale beer',
  story:
    'A panel scores test brews from 0 to 100. The malt is what the supplier sends: the brewer has to take it as it is.',
  settings: [
    category('malt', 'spring', 'winter', 'import'),
    number('mash_temp', '°C', 60, 76),
    whole('mash_time', 'min', 30, 110),
    number('gravity', '°P', 8, 20),
    number('bitterness', 'IBU', 5, 80),
    number('dry_hop', 'g/L', 0, 10),
    whole('boil', 'min', 40, 120),
    category('yeast', 'ale', 'lager', 'wheat', 'saison'),
    number('ferment_temp', '°C', 7, 30),
    whole('ferment_days', 'd', 4, 30),
    number('calcium', 'mg/L', 10, 200),
    number('sulfate_ratio', '', 0.2, 5, 2),
    either('whirlpool', 'no', 'yes'),
  ],
  goal: { name: 'score', unit: 'points', wanted: 'max', decimals: 1, least: 0, most: 100 },
  context: 'malt',
  points: [
    {
      malt: 'spring',
      mash_temp: 68,
      mash_time: 60,
      gravity: 12,
      bitterness: 25,
      dry_hop: 0,
      boil: 60,
      yeast: 'ale',
      ferment_temp: 22,
      ferment_days: 7,
      calcium: 60,
      sulfate_ratio: 1,
      whirlpool: 'no',
    },
    {
      malt: 'spring',
      mash_temp: 64,
      mash_time: 75,
      gravity: 11,
      bitterness: 30,
      dry_hop: 0,
      boil: 90,
      yeast: 'lager',
      ferment_temp: 13.5,
      ferment_days: 14,
      calcium: 40,
      sulfate_ratio: 0.8,
      whirlpool: 'no',
    },
    {
      malt: 'spring',
      mash_temp: 70,
      mash_time: 60,
      gravity: 15,
      bitterness: 55,
      dry_hop: 4,
      boil: 75,
      yeast: 'ale',
      ferment_temp: 20,
      ferment_days: 9,
      calcium: 110,
      sulfate_ratio: 2.5,
      whirlpool: 'yes',
    },
  ],
  rows: 260,
  noise: 2.5,
  bestKnownTruth: best.brewing,
  response(n, t) {
    const yeast = t('yeast');
    const malt = look(protein, t('malt'));
    const sugar =
      bump(n('mash_temp'), 65.5 - 0.8 * malt, 5.5) * (1 - Math.exp(-n('mash_time') / (26 + 6 * malt)));
    const fermented = look(attenuation, yeast) * (0.55 + 0.45 * sugar);
    const pace = 0.09 * Math.exp((n('ferment_temp') - look(ideal, yeast)) / 7);
    const done = 1 - Math.exp(-pace * n('ferment_days') * 2.1);
    const off = Math.max(0, n('ferment_temp') - look(ideal, yeast)) / 4;
    const clean = 1 / (1 + off ** 2) - 0.25 * step(n('ferment_days'), 24, 1.5);
    const rest = n('gravity') * (1 - fermented * done);
    const alcohol = 0.42 * n('gravity') * fermented * done;
    const body = bump(rest, 3.1 + 0.25 * n('dry_hop') ** 0.5, 2.4);
    const balance = bump(n('bitterness') / (rest + 4), 4.6 + 0.7 * Math.log(n('sulfate_ratio')), 2.8);
    const strength = bump(alcohol, 5.3, 2.1);
    const aroma =
      0.62 +
      0.38 * bump(n('dry_hop') + (t('whirlpool') === 'yes' ? 1.6 : 0), yeast === 'lager' ? 2.2 : 5.2, 3.2);
    const haze = step(malt + n('dry_hop') / 7 - n('boil') / 70 - n('calcium') / 160, 0.1, 0.25);
    const minerals = bump(n('calcium'), 95, 90);
    const burnt = 1 - 0.3 * step(n('boil'), 100, 5);
    const taste = body ** 0.7 * balance * strength ** 0.7 * aroma * Math.max(0, clean) * minerals * burnt;
    return Math.min(100, 12 + 78 * taste ** 0.4 * look(charm, yeast) * (1 - 0.22 * haze));
  },
});
