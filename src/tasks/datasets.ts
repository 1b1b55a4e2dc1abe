/** The datasets that tasks read: files, sizes, checksums, where they come from and under which licence. */
import { ArgumentError } from '../numeric/errors.js';

export interface DatasetFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Where exactly these bytes can be downloaded; null where they were derived and have no public home. */
  readonly url: string | null;
  /** How to make or find the file by hand. */
  readonly byHand: string;
}

export interface DatasetSpec {
  /** Also the name of its folder. */
  readonly id: string;
  readonly title: string;
  readonly licence: string;
  readonly citation: string;
  /** Pages of the data it was made from, for people. */
  readonly homes: readonly string[];
  readonly files: readonly DatasetFile[];
  /** Its files are in `data/` of the repository and in the package nemokit-robots, not in the data folder. */
  readonly ships?: true;
}

const elements =
  'The table of element properties was recovered from the features and is not published anywhere; copy it from ' +
  'somebody who has it.';
const uci464 =
  'The UCI archive (superconductivty+data.zip) has the same columns in the same order, with features rounded to fewer ' +
  'digits. This file has them recomputed from the compositions, so its checksum is another; copy it from somebody who ' +
  'has it.';

/** By id. */
export const datasets: readonly DatasetSpec[] = [
  {
    id: 'ant-morphology',
    title: 'Bodies of the Ant robot, scored by simulation',
    licence: 'MIT, as nemokit',
    citation: 'nemokit, docs/tasks/ant-morphology.md',
    homes: [],
    ships: true,
    files: [
      {
        name: 'designs.bin',
        bytes: 262240,
        sha256: 'f7bf0e9ed85c15c09f16e20ebee5860b580e12f7982173438459f0cb4cff7f07',
        url: null,
        byHand: 'Made by node studies/robots/morphologyData.mjs --robot ant, of the repository.',
      },
    ],
  },
  {
    id: 'dkitty-morphology',
    title: 'Bodies of the D’Kitty robot, scored by simulation',
    licence: 'MIT, as nemokit',
    citation: 'nemokit, docs/tasks/dkitty-morphology.md',
    homes: [],
    ships: true,
    files: [
      {
        name: 'designs.bin',
        bytes: 570232,
        sha256: 'a2b5c471d4ad9f4976a8a97814728dfb92740b3d801223c8e3cd635fb2a31c4b',
        url: null,
        byHand: 'Made by node studies/robots/morphologyData.mjs --robot dkitty, of the repository.',
      },
    ],
  },
  {
    id: 'gfp',
    title: 'Brightness of mutants of green fluorescent protein',
    licence: 'CC BY 4.0 (measurements)',
    citation:
      'Sarkisyan et al. 2016, doi:10.1038/nature17995; Gaussian process: Brookes et al. 2019 (CbAS), arXiv:1901.10060',
    homes: ['https://doi.org/10.6084/m9.figshare.3102154'],
    files: [
      {
        name: 'amino_acid_genotypes_to_brightness.tsv',
        bytes: 2334128,
        sha256: '5581230b9888f9960708a4769ce1c9b4453561f0b5f0374525445b4a984d54d5',
        url: 'https://figshare.com/ndownloader/files/4820647',
        byHand: 'Download the file of this name from https://doi.org/10.6084/m9.figshare.3102154.',
      },
      {
        name: 'avGFP_wt.fasta',
        bytes: 358,
        sha256: '82c6de045e284948e9d56c511b8be88457507364e5b0ab8e740c063a2efac678',
        url: null,
        byHand:
          'A note on the reference protein, with its own heading: it has no public home. Copy it from somebody who has it; no task reads it.',
      },
      {
        name: 'gp_similarity.csv',
        bytes: 2826,
        sha256: 'b335856b519bee9bbaf79a54c728bb59a4ac559ddc4eb7509fc399382b79d3b4',
        url: null,
        byHand:
          'The similarities of 20 amino acids of the CbAS authors’ Gaussian process, as CSV: derived, without a public home in this form. Copy it from somebody who has it.',
      },
      {
        name: 'gp_train.csv',
        bytes: 254188,
        sha256: '4b72486622bb43acc7a6a04416a3ce001717fc4ba93f10220e1d91649869e1e4',
        url: null,
        byHand:
          'The 1000 sequences of the CbAS authors’ Gaussian process with their labels, as CSV: derived, without a public home in this form. Copy it from somebody who has it.',
      },
      {
        name: 'oracle_checks.csv',
        bytes: 77220,
        sha256: 'ebd85f4b534ec7b0c1927fdd9f436f2f6c382f86ca557a98a176d51c283f91ba',
        url: null,
        byHand:
          'Values of the Gaussian process that tests compare with: computed, without a public home. Copy it from somebody who has it; no task reads it.',
      },
    ],
  },
  {
    id: 'hopper-controller',
    title: 'Policies for the Hopper robot, from our own runs of PPO',
    licence: 'MIT, as nemokit',
    citation: 'nemokit, docs/tasks/hopper-controller.md',
    homes: [],
    ships: true,
    files: [
      {
        name: 'designs.bin',
        bytes: 26186648,
        sha256: '2a68264f4cd92b2637d11cf5193e14dff16ed840b09c83e323b041e13987225a',
        url: null,
        byHand:
          'Made by node studies/robots/hopperPpo.mjs, then node studies/robots/hopperData.mjs, of the repository.',
      },
    ],
  },
  {
    id: 'molecule',
    title: 'Molecules with a measured property',
    licence: 'CC BY-SA 3.0',
    citation:
      'ChEMBL; van Tilborg et al. 2022 (MoleculeACE), doi:10.1021/acs.jcim.2c01073; Wu et al. 2018 (MoleculeNet), doi:10.1039/C7SC02664A',
    homes: [
      'https://github.com/molML/MoleculeACE/tree/main/MoleculeACE/Data/benchmark_data',
      'https://deepchemdata.s3-us-west-1.amazonaws.com/datasets/Lipophilicity.csv',
    ],
    files: [
      {
        name: 'CHEMBL234_Ki.smiles_y.csv',
        bytes: 250525,
        sha256: 'f7bb72c923ff507083b927257faefd19023e8537bee9cbca7a8503275b164626',
        url: null,
        byHand:
          'Two columns of https://raw.githubusercontent.com/molML/MoleculeACE/main/MoleculeACE/Data/benchmark_data/CHEMBL234_Ki.csv under the heading "smiles,y": "smiles" and "y [pEC50/pKi]", rows in their order.',
      },
      {
        name: 'Lipophilicity.smiles_y.csv',
        bytes: 223299,
        sha256: 'caf0c847c4bf417a8ce823e828e2b3f9a52a5226606c63695e227951a5f379a0',
        url: null,
        byHand:
          'Two columns of https://deepchemdata.s3-us-west-1.amazonaws.com/datasets/Lipophilicity.csv under the heading "smiles,y": "smiles" and "exp", rows in their order.',
      },
    ],
  },
  {
    id: 'superconductor',
    title: 'Critical temperatures of superconductors',
    licence: 'CC BY 4.0',
    citation: 'Hamidieh 2018, doi:10.1016/j.commatsci.2018.07.052',
    homes: ['https://archive.ics.uci.edu/dataset/464/superconductivty+data'],
    files: [
      {
        name: 'element_properties_recovered.csv',
        bytes: 3905,
        sha256: '87018f14074e8f41a4d84ba95c989247ecfb12cbb34f14727a840967f21d4151',
        url: null,
        byHand: elements,
      },
      {
        name: 'formula_tc.csv.gz',
        bytes: 190115,
        sha256: '3ce7d1d28395c9a40b8a1e8b72b96f256f54d37c73cfca7d3d0be0acd6552069',
        url: null,
        byHand: `Formula and critical temperature of each row of unique_m.csv.gz; no task reads it. ${uci464}`,
      },
      {
        name: 'train.csv.gz',
        bytes: 7871029,
        sha256: 'e06db7612189e73bf17b3ebdd3f674c138d3b1456636a7512f21472b2ea8cfc9',
        url: null,
        byHand: uci464,
      },
      {
        name: 'unique_m.csv.gz',
        bytes: 313156,
        sha256: 'dfdeee8b6729814673a60ed9041b7c5546c360b08d76143da685ae8ab9a1207c',
        url: null,
        byHand:
          'unique_m.csv of the UCI archive (superconductivty+data.zip) has the same rows; this file is compressed and may be written differently, so its checksum is another. Copy it from somebody who has it.',
      },
    ],
  },
  {
    id: 'tables',
    title: 'Two tables of measurements, for examples',
    licence: 'CC BY 4.0',
    citation:
      'UCI 165 (Concrete Compressive Strength, Yeh 1998); UCI 291 (Airfoil Self-Noise, Brooks et al. 1989)',
    homes: ['https://archive.ics.uci.edu/dataset/165', 'https://archive.ics.uci.edu/dataset/291'],
    files: [
      {
        name: 'airfoil_self_noise.csv',
        bytes: 58616,
        sha256: 'fdb4b203f175ea19cb11b90a497967a5ca4832c1ebc1db697128d4fade58ddab',
        url: null,
        byHand:
          'airfoil_self_noise.dat of https://archive.ics.uci.edu/dataset/291 with commas instead of tabs, under the heading "frequency_hz,angle_of_attack_deg,chord_length_m,free_stream_velocity_ms,suction_side_displacement_thickness_m,scaled_sound_pressure_db".',
      },
      {
        name: 'concrete.csv',
        bytes: 48703,
        sha256: '5722ce30aa1ee6e1616586df2996acc317d25ffcaba4133677d34f92e4ddb92b',
        url: null,
        byHand:
          'The sheet of https://archive.ics.uci.edu/dataset/165 as CSV, under the heading "Cement,BlastFurnaceSlag,FlyAsh,Water,Superplasticizer,CoarseAggregate,FineAggregate,Age,ConcreteCompressiveStrength".',
      },
    ],
  },
  {
    id: 'tfbind8',
    title: 'Binding of all DNA sequences of 8 letters by SIX6',
    licence: 'not stated by the source',
    citation: 'Barrera et al. 2016, doi:10.1126/science.aad2257',
    homes: ['https://doi.org/10.1126/science.aad2257'],
    files: [
      {
        name: 'tfbind8_SIX6_REF_R1.csv.gz',
        bytes: 387542,
        sha256: '6ff53e154334a2f90dcbfa27b474e72300f8f5ccb342525804aca4c4c5adf4bc',
        url: null,
        byHand:
          'All 65,536 sequences and their score from 0 to 1 under the heading "seq,y", from SIX6_REF_R1 of the paper’s data: derived, without a public home in this form. Copy it from somebody who has it.',
      },
    ],
  },
];

export function datasetOf(id: string): DatasetSpec {
  const found = datasets.find((dataset) => dataset.id === id);
  if (found) return found;
  const known = datasets.map((dataset) => dataset.id).join(', ');
  throw new ArgumentError('dataset', `there is no dataset "${id}"; there are ${known}`);
}

export function fileOf(id: string, name: string): DatasetFile {
  const { files } = datasetOf(id);
  const found = files.find((file) => file.name === name);
  if (found) return found;
  const known = files.map((file) => file.name).join(', ');
  throw new ArgumentError('file', `dataset ${id} has no file "${name}"; it has ${known}`);
}
