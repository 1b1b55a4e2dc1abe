/**
 * What an algorithm keeps in memory between two calls. States are plain data, and networks live in the engine's memory:
 * they are made once per setup, and a state is written to them only if they hold another one.
 */

/** Makes a value once per setup, and forgets it together with the setup. */
export function perSetup<Setup extends object, Value extends object>(
  make: (setup: Setup) => Value,
): (setup: Setup) => Value {
  const made = new WeakMap<Setup, Value>();
  return (setup) => {
    const value = made.get(setup) ?? make(setup);
    made.set(setup, value);
    return value;
  };
}

/** The models of each setup, and the state that they hold. */
export class Sessions<Setup extends object, Models extends object, State extends object> {
  /** The models of a setup, in whatever state they are. */
  readonly of: (setup: Setup) => Models;
  private readonly held = new WeakMap<Setup, State>();

  constructor(
    make: (setup: Setup) => Models,
    private readonly restore: (models: Models, state: State) => void,
  ) {
    this.of = perSetup(make);
  }

  /** Models that are about to be initialised. */
  begin(setup: Setup): Models {
    const models = this.of(setup);
    this.held.delete(setup);
    return models;
  }

  /** Models in `state`, about to be changed. */
  change(setup: Setup, state: State): Models {
    const models = this.of(setup);
    if (this.held.get(setup) !== state) this.restore(models, state);
    this.held.delete(setup);
    return models;
  }

  /** Models in `state`, to be read and left as they are. */
  read(setup: Setup, state: State): Models {
    const models = this.change(setup, state);
    this.held.set(setup, state);
    return models;
  }

  /** Says that the models hold `state` now, and returns it. */
  hold(setup: Setup, state: State): State {
    this.held.set(setup, state);
    return state;
  }
}
