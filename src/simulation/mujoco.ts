/** One model of MuJoCo (https://mujoco.org, npm `@mujoco/mujoco`) with its state. MuJoCo itself is handed in. */

/** What is used of the package. Objects live in WebAssembly until they are deleted. */
export interface Mujoco {
  readonly MjModel: { from_xml_string(xml: string): MujocoModel };
  readonly MjData: new (model: MujocoModel) => MujocoData;
  mj_step(model: MujocoModel, data: MujocoData): void;
  mj_forward(model: MujocoModel, data: MujocoData): void;
  mj_resetData(model: MujocoModel, data: MujocoData): void;
}

interface MujocoModel {
  delete(): void;
}

/** Views of MuJoCo's memory. */
export interface MujocoState {
  readonly qpos: Float64Array;
  readonly qvel: Float64Array;
  readonly ctrl: Float64Array;
  /** Bodies x 3: places of their frames. */
  readonly xpos: Float64Array;
  /** Bodies x 9: their rotations, row-major. */
  readonly xmat: Float64Array;
  /** Bodies x 6: contact forces, torque before force. */
  readonly cfrc_ext: Float64Array;
  /** Geoms x 3 and x 9. */
  readonly geom_xpos: Float64Array;
  readonly geom_xmat: Float64Array;
}

interface MujocoData extends MujocoState {
  delete(): void;
}

/**
 * A model and its state. Throws MuJoCo's own words for a text that is no model.
 *
 * `state` is taken anew at each reset: when MuJoCo's memory grows, views from before become empty without a word.
 */
export class Simulation {
  state: MujocoState;
  private readonly model: MujocoModel;
  private readonly data: MujocoData;

  constructor(
    private readonly mujoco: Mujoco,
    xml: string,
  ) {
    this.model = mujoco.MjModel.from_xml_string(xml);
    try {
      this.data = new mujoco.MjData(this.model);
    } catch (error) {
      this.model.delete();
      throw error;
    }
    this.state = viewsOf(this.data);
  }

  /** The model's own pose, at rest. What was computed before leaves no trace. */
  reset(): MujocoState {
    this.mujoco.mj_resetData(this.model, this.data);
    this.state = viewsOf(this.data);
    return this.state;
  }

  /** Brings everything that follows from positions and velocities up to date, without a step. */
  forward(): void {
    this.mujoco.mj_forward(this.model, this.data);
  }

  step(times = 1): void {
    for (let i = 0; i < times; i++) this.mujoco.mj_step(this.model, this.data);
  }

  free(): void {
    this.data.delete();
    this.model.delete();
  }
}

/**
 * Throws what ended WebAssembly itself: nothing that this MuJoCo would compute from here on could be trusted, and its
 * thread has to be replaced. Everything else is MuJoCo's word about one model.
 */
export function rethrowCrash(error: unknown): void {
  if (error instanceof Error && error.name === 'RuntimeError') throw error;
}

/** Each access of MuJoCo's objects makes a view; these are made once. */
function viewsOf(data: MujocoData): MujocoState {
  const { qpos, qvel, ctrl, xpos, xmat, cfrc_ext, geom_xpos, geom_xmat } = data;
  return { qpos, qvel, ctrl, xpos, xmat, cfrc_ext, geom_xpos, geom_xmat };
}

/** Score of one body, at least `floor`; `floor` also where MuJoCo refuses the body or its simulation breaks down. */
export function scoreBody(
  mujoco: Mujoco,
  xml: string,
  floor: number,
  run: (simulation: Simulation) => number,
): number {
  let simulation: Simulation | undefined;
  try {
    simulation = new Simulation(mujoco, xml);
    const score = run(simulation);
    return Number.isFinite(score) ? Math.max(floor, score) : floor;
  } catch (error) {
    rethrowCrash(error);
    return floor;
  } finally {
    simulation?.free();
  }
}
