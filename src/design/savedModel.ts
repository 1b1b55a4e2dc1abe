/** The networks that speak about designs, as a file that other tools can read, and an advisor from them. */

import { Advisor } from '../judging/advisor.js';
import { cautionOf } from '../judging/dressRehearsal.js';
import { restoreJudges, type SavedJudges } from '../judging/judges.js';
import type { ModelReading } from '../judging/modelReading.js';
import type { Plan } from '../judging/plan.js';
import { objectiveModel } from '../judging/scoreModel.js';
import { CrossFit } from '../models/crossFit.js';
import type { Engine } from '../numeric/engine.js';
import { ArgumentError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { decodeTensors, encodeTensors, type TensorData } from '../numeric/tensorFile.js';
import type { Problem, Risk } from '../problem/index.js';

/** 1: networks alone (0.1). 2: networks and Gaussian processes. */
export const modelVersion = 3;

/** The judges of a run. */
export interface SavedModel {
  readonly plan: Plan;
  readonly seed: number;
  /** Steps of training of the networks; 0 where nothing was trained. */
  readonly trainingSteps: number;
  /** The networks; none where nothing was trained. */
  readonly weights: Readonly<Record<string, TensorData>>;
  /** The processes, what the rehearsal found, and how far designs might leave what is known. */
  readonly judges?: SavedJudges & { readonly risk: Risk };
  /** How other languages predict from it. */
  readonly reading?: ModelReading;
}

/** What `model.json` holds: how to use the numbers of `model.safetensors`. */
export interface ModelDescription extends Omit<SavedModel, 'weights'> {
  readonly modelVersion: typeof modelVersion;
}

export function encodeModel({ weights, ...rest }: SavedModel): {
  tensors: Uint8Array;
  description: ModelDescription;
} {
  // numbers of 8 bytes first, so that every array begins at a multiple of the size of its numbers
  const named = Object.entries(weights).sort(
    ([, a], [, b]) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT,
  );
  return {
    tensors: encodeTensors({
      tensors: Object.fromEntries(named),
      metadata: { format: 'nemokit model', version: String(modelVersion) },
    }),
    description: { modelVersion, ...rest },
  };
}

export function decodeModel(tensors: Uint8Array, description: ModelDescription): SavedModel {
  const { modelVersion: version, ...rest } = description;
  if (version !== modelVersion) {
    throw new ArgumentError(
      'model',
      `the model is of version ${version}, and this nemokit reads version ${modelVersion}; design again to get one`,
    );
  }
  return { ...rest, weights: decodeTensors(tensors).tensors };
}

/** An advisor that says what the run's own did, bit for bit on the same kernel. */
export async function openAdvisor(
  engine: Engine,
  problem: Problem,
  { plan, seed, weights, judges }: SavedModel,
): Promise<Advisor> {
  if (!judges) throw new ArgumentError('model', 'the run fitted no model');
  const model = objectiveModel(problem, plan, foldKey(rootKey(seed), 'validation'));
  const networks = new CrossFit(engine, model.crossFitSpec);
  networks.loadWeights(weights);
  const linalg = await openLinearAlgebra({ kernel: engine.kernel });
  const restored = restoreJudges(linalg, problem, model, networks, judges);
  return Advisor.open(problem, model.encoding, restored, cautionOf[judges.risk]);
}
