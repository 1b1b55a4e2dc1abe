/** The networks that speak about designs, as a file that other tools can read, and an advisor from them. */

import { Advisor, type TrainedModel } from '../judging/advisor.js';
import type { ModelReading } from '../judging/modelReading.js';
import type { Plan } from '../judging/plan.js';
import { scoreModels } from '../judging/scoreModel.js';
import { CrossFit } from '../models/crossFit.js';
import type { Engine } from '../numeric/engine.js';
import { ArgumentError } from '../numeric/errors.js';
import { foldKey, rootKey } from '../numeric/key.js';
import { openLinearAlgebra } from '../numeric/linalg.js';
import { decodeTensors, encodeTensors, type TensorData } from '../numeric/tensorFile.js';
import type { Problem } from '../problem/index.js';

export const modelVersion = 1;

/** Networks of each score, the objective first. */
export interface SavedModel {
  readonly plan: Plan;
  readonly seed: number;
  /** Steps of training of each score's networks. */
  readonly trainingSteps: readonly number[];
  /** Networks, and the fitted last layers (`readout0.theta`, ...), which other languages read; nemokit fits them again. */
  readonly weights: readonly Readonly<Record<string, TensorData>>[];
  /** How other languages predict from it; 0.1 saved none. */
  readonly reading?: ModelReading;
}

/** What `model.json` holds: how to use the numbers of `model.safetensors`. */
export interface ModelDescription {
  readonly modelVersion: typeof modelVersion;
  readonly plan: Plan;
  readonly seed: number;
  readonly trainingSteps: readonly number[];
  /** What each score is: "headline", or a goal in the user's words. */
  readonly scores: readonly string[];
  readonly reading?: ModelReading;
}

export function encodeModel(
  model: SavedModel,
  scores: readonly string[],
): { tensors: Uint8Array; description: ModelDescription } {
  const named = model.weights.flatMap((weights, i) =>
    Object.entries(weights).map(([name, data]) => [`score${i}.${name}`, data] as const),
  );
  // numbers of 8 bytes first, so that every array begins at a multiple of the size of its numbers
  named.sort(([, a], [, b]) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT);
  const { plan, seed, trainingSteps, reading } = model;
  return {
    tensors: encodeTensors({
      tensors: Object.fromEntries(named),
      metadata: { format: 'nemokit model', version: String(modelVersion) },
    }),
    description: { modelVersion, plan, seed, trainingSteps, scores, ...(reading && { reading }) },
  };
}

export function decodeModel(tensors: Uint8Array, description: ModelDescription): SavedModel {
  if (description.modelVersion !== modelVersion) {
    throw new ArgumentError(
      'model',
      `the model is of version ${description.modelVersion}, and this nemokit reads version ${modelVersion}`,
    );
  }
  const all = Object.entries(decodeTensors(tensors).tensors);
  const weights = description.scores.map((_, i) => {
    const prefix = `score${i}.`;
    return Object.fromEntries(
      all
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, data]) => [name.slice(prefix.length), data]),
    );
  });
  const { plan, seed, trainingSteps, reading } = description;
  return { plan, seed, trainingSteps, weights, ...(reading && { reading }) };
}

/** An advisor that says what the run's own did, bit for bit on the same kernel. */
export async function openAdvisor(
  engine: Engine,
  problem: Problem,
  { plan, seed, weights }: SavedModel,
): Promise<Advisor> {
  const models = scoreModels(problem, plan, foldKey(rootKey(seed), 'validation'));
  if (models.length !== weights.length) {
    throw new ArgumentError(
      'model',
      `the model knows ${weights.length} scores and the problem has ${models.length}`,
    );
  }
  const trained = models.map((model, i): TrainedModel => {
    const networks = new CrossFit(engine, model.crossFitSpec);
    networks.loadWeights(weights[i]!);
    return { model, networks };
  });
  const linalg = await openLinearAlgebra({ kernel: engine.kernel });
  return Advisor.open(linalg, problem, trained as [TrainedModel, ...TrainedModel[]]);
}
