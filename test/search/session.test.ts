import { describe, expect, it } from 'vitest';
import { perSetup, Sessions } from '../../src/search/session.js';

interface State {
  readonly value: number;
}

function counted() {
  let restored = 0;
  const sessions = new Sessions(
    (setup: { readonly start: number }) => ({ value: setup.start }),
    (models, state: State) => {
      restored += 1;
      models.value = state.value;
    },
  );
  return { sessions, restored: () => restored };
}

describe('sessions of an algorithm', () => {
  it('make models once per setup', () => {
    const of = perSetup((setup: { readonly start: number }) => ({ start: setup.start }));
    const setup = { start: 1 };
    expect(of(setup)).toBe(of(setup));
    expect(of({ start: 1 })).not.toBe(of(setup));
  });

  it('restore a state unless the models hold it', () => {
    const { sessions, restored } = counted();
    const setup = { start: 0 };
    const state = sessions.hold(setup, { value: 3 });
    sessions.change(setup, state);
    expect(restored()).toBe(0);
    // what has been changed may be anything
    expect(sessions.change(setup, state).value).toBe(3);
    expect(restored()).toBe(1);
    sessions.read(setup, state);
    sessions.read(setup, state);
    expect(restored()).toBe(2);
    // an equal state of other identity is another state
    sessions.read(setup, structuredClone(state));
    expect(restored()).toBe(3);
  });

  it('hold no state while models begin anew', () => {
    const { sessions, restored } = counted();
    const setup = { start: 0 };
    const state = sessions.hold(setup, { value: 3 });
    sessions.begin(setup);
    sessions.read(setup, state);
    expect(restored()).toBe(1);
  });
});
