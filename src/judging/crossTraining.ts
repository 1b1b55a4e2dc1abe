/**
 * Trains networks that each leave out a fold (models/crossFit.ts) and finds out on the rows left out how long is best:
 * the small validation that sets the length of training for everything else. Steppable; its state is plain data.
 */
import { CrossFit, type CrossFitState } from '../models/crossFit.js';
import type { Engine } from '../numeric/engine.js';
import type { Key } from '../numeric/key.js';
import type { TensorData } from '../numeric/tensorFile.js';
import type { ScoreModel } from './scoreModel.js';

export interface CrossTrainingState {
  /** Steps taken. */
  readonly step: number;
  readonly current: CrossFitState | null;
  readonly tried: readonly { readonly steps: number; readonly loss: number }[];
  /** The networks that did best on unseen rows so far, without Adam's moments. */
  readonly best: {
    readonly steps: number;
    readonly loss: number;
    readonly weights: Readonly<Record<string, TensorData>>;
  } | null;
}

/** Rows on which a length of training is judged. */
const JUDGED = 2000;

/** Trying goes on until this many lengths in a row did not help. */
const PATIENCE = 2;

export class CrossTraining {
  readonly networks: CrossFit;
  private resident: CrossTrainingState | null = null;

  constructor(
    engine: Engine,
    private readonly model: ScoreModel,
    private readonly key: Key,
  ) {
    this.networks = new CrossFit(engine, model.crossFitSpec);
  }

  start(): CrossTrainingState {
    return { step: 0, current: null, tried: [], best: null };
  }

  isDone({ tried, best }: CrossTrainingState): boolean {
    const lengths = this.model.plan.tried;
    if (tried.length === lengths.length) return true;
    const sinceBest = tried.length - 1 - tried.findIndex(({ steps }) => steps === best?.steps);
    return best !== null && sinceBest >= PATIENCE;
  }

  /** At most `most` steps further, and a trial where one is due. */
  async advance(state: CrossTrainingState, most: number): Promise<CrossTrainingState> {
    const { plan } = this.model;
    const { networks } = this;
    if (this.resident !== state) {
      if (state.current) networks.restore(state.current);
      else networks.initialize(this.key);
    }
    this.resident = null;
    const due = plan.tried[state.tried.length]!;
    const steps = Math.min(most, due - state.step);
    await networks.train(steps, plan.trainingRate);
    const next = { ...state, step: state.step + steps, current: networks.state() };
    const reached = next.step === due ? await this.tryOut(next) : next;
    this.resident = reached;
    return reached;
  }

  private async tryOut(state: CrossTrainingState): Promise<CrossTrainingState> {
    const loss = await this.networks.unseenLoss(JUDGED);
    const trial = { steps: state.step, loss };
    const tried = [...state.tried, trial];
    if (state.best && state.best.loss <= loss) return { ...state, tried };
    return { ...state, tried, best: { ...trial, weights: this.networks.weights() } };
  }

  dispose(): void {
    this.networks.dispose();
  }
}
