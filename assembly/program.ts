// Runs an encoded program for a range of models. Layout of an instruction: src/numeric/kernels/opcodes.ts.
import {
  ACCUMULATE, ACCUMULATE_GROUP, ACTIVATE, ADAM, ADD_MODELS, BROADCAST, CATEGORICAL, COMBINE, COPY_COLUMNS, CURVATURE,
  FILL, FLOATS_AT, GATHER, INSTRUCTION_WORDS, INTEGERS_AT, MATMUL, MATMUL_TRANSPOSED, OPERANDS_AT, OUTER, OUTER_ADAM,
  SCALE, SOFTMAX, SOFTMAX_BACKWARD, SUM_COLUMNS, SUM_ROWS, THERMOMETER,
} from '../src/numeric/kernels/opcodes';
import { activate, curvature } from './activation';
import { updateStrip } from './adam';
import { addTo, broadcast, combine, copyColumns, fill, gather, scale, sumColumns, sumRows } from './elementwise';
import { categorical, softmax, softmaxBackward, thermometer } from './losses';
import { matmul, matmulTransposed } from './matmul';
import { outer } from './outer';

// @ts-ignore: decorator
@inline function integer(at: usize, i: i32): i32 {
  return load<i32>(at + (<usize>(INTEGERS_AT + i) << 2));
}

// @ts-ignore: decorator
@inline function float(at: usize, i: i32): f32 {
  return load<f32>(at + (<usize>(FLOATS_AT + i) << 2));
}

/** Address of operand i: base + model * a + group * b + thread * c, counted in floats; 0 if there is none. */
function address(at: usize, i: i32, model: i32, group: i32, thread: i32): usize {
  const q = at + (<usize>(OPERANDS_AT + i * 4) << 2);
  const floats = load<i32>(q) + model * load<i32>(q, 4) + group * load<i32>(q, 8) + thread * load<i32>(q, 12);
  return <usize>floats << 2;
}

/** Runs `length` instructions at `program` for the models first <= k < last, which form the group `group`. */
export function run(program: usize, length: i32, first: i32, last: i32, group: i32, thread: i32): void {
  const end = program + <usize>length * (INSTRUCTION_WORDS * 4);
  for (let model = first; model < last; model++) {
    for (let at = program; at < end; at += INSTRUCTION_WORDS * 4) {
      const p0 = address(at, 0, model, group, thread);
      const p1 = address(at, 1, model, group, thread);
      const p2 = address(at, 2, model, group, thread);
      const p3 = address(at, 3, model, group, thread);
      const i0 = integer(at, 0), i1 = integer(at, 1), i2 = integer(at, 2), i3 = integer(at, 3);
      const store = integer(at, 6);
      const add = store == ACCUMULATE || (store == ACCUMULATE_GROUP && model > first);
      switch (load<i32>(at)) {
        case MATMUL:
          matmul(i0, i1, i2, p1, <usize>i1 << 2, p2, p3, p0, add, address(at, 7, model, group, thread));
          break;
        case MATMUL_TRANSPOSED:
          matmulTransposed(i0, i1, i2, p1, p2, p3, p0, add, address(at, 7, model, group, thread));
          break;
        case OUTER:
          outer(i0, i1, i2, p1, <usize>i1 << 2, p2, p3, p0, add, address(at, 7, model, group, thread), 0, 0, 0, 0, 0);
          break;
        case OUTER_ADAM:
          outer(
            i0, i1, i2, p1, <usize>i1 << 2, p2, p3, 0, false, address(at, 7, model, group, thread),
            p0, address(at, 4, model, group, thread), address(at, 5, model, group, thread),
            address(at, 6, model, group, thread), <usize>integer(at, 3) << 2,
          );
          break;
        case ADAM:
          updateStrip(
            i0, p1, p0, p2, p3, address(at, 4, model, group, thread), address(at, 5, model, group, thread),
          );
          break;
        case ACTIVATE:
          activate(i0, float(at, 0), i1, i2, p1, p2, p0, p3);
          break;
        case CURVATURE:
          curvature(i0, i1, p1, p2, p0);
          break;
        case COMBINE:
          combine(i0, i1, i2, i3, p1, p2, p0);
          break;
        case SCALE:
          scale(i0, float(at, 0), float(at, 1), p1, p0);
          break;
        case FILL:
          fill(i0, float(at, 0), p0);
          break;
        case SUM_ROWS:
          sumRows(i0, i1, p1, p0);
          break;
        case SUM_COLUMNS:
          sumColumns(i0, i1, p1, p0);
          break;
        case BROADCAST:
          broadcast(i0, i1, i2, p1, p0);
          break;
        case COPY_COLUMNS:
          copyColumns(i0, i1, i2, i3, integer(at, 4), integer(at, 5), p1, p0);
          break;
        case GATHER:
          gather(i0, i1, p1, p2, p0);
          break;
        case SOFTMAX:
          softmax(i0, i1, p1, p0);
          break;
        case SOFTMAX_BACKWARD:
          softmaxBackward(i0, i1, p1, p2, p0);
          break;
        case THERMOMETER:
          thermometer(i0, i1, float(at, 0), p2, p3, p0, p1);
          break;
        case CATEGORICAL:
          categorical(i0, i1, p2, p3, p0, p1);
          break;
        case ADD_MODELS:
          if (model > first) addTo(i0, p0, p1);
          else memory.copy(p0, p1, <usize>i0 << 2);
          break;
        default:
          unreachable();
      }
    }
  }
}

/** to (count floats) = sum of `groups` blocks of `count` floats each, first to last. */
export function addGroups(count: i32, groups: i32, from: usize, to: usize): void {
  memory.copy(to, from, <usize>count << 2);
  for (let g = 1; g < groups; g++) addTo(count, to, from + ((<usize>g * count) << 2));
}
