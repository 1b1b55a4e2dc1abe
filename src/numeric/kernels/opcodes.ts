// The instruction set, read by the TypeScript side and by the AssemblyScript kernels alike. See docs/engine.md.

/** Raised when instructions change, or what they mean: a native addon that was made for another number is not used. */
export const INTERFACE = 2;

export const MATMUL = 1;
export const MATMUL_TRANSPOSED = 2;
export const OUTER = 3;
export const OUTER_ADAM = 4;
export const ADAM = 5;
export const ACTIVATE = 6;
export const CURVATURE = 7;
export const COMBINE = 8;
export const SCALE = 9;
export const FILL = 10;
export const SUM_ROWS = 11;
export const SUM_COLUMNS = 12;
export const BROADCAST = 13;
export const COPY_COLUMNS = 14;
export const GATHER = 15;
export const SOFTMAX = 16;
export const SOFTMAX_BACKWARD = 17;
export const THERMOMETER = 18;
export const CATEGORICAL = 19;
export const ADD_MODELS = 20;

/** Functions of one number: value, slope and curvature are known for each. */
export const IDENTITY = 0;
export const RELU = 1;
export const LEAKY_RELU = 2;
export const ELU = 3;
export const TANH = 4;
export const SOFTPLUS = 5;
export const SIGMOID = 6;
export const EXP = 7;
export const LOG = 8;
export const SQUARE = 9;
export const SQRT = 10;
export const RECIPROCAL = 11;

/** COMBINE: what is done with two elements. */
export const ADD = 0;
export const SUBTRACT = 1;
export const MULTIPLY = 2;
export const DIVIDE = 3;

/** COMBINE and BROADCAST: how the second operand meets the first. */
export const SAME = 0;
export const ROW = 1;
export const COLUMN = 2;
export const SCALAR = 3;

/** What becomes of a result: written, added to what is there, or added unless the model is its group's first. */
export const WRITE = 0;
export const ACCUMULATE = 1;
export const ACCUMULATE_GROUP = 2;

/** Words of an encoded instruction: opcode, 7 integers, 4 floats, 8 operands of 4 words. */
export const INTEGERS_AT = 1;
export const FLOATS_AT = 8;
export const OPERANDS_AT = 12;
export const OPERAND_WORDS = 4;
export const OPERANDS = 8;
export const INSTRUCTION_WORDS = 44;

/** Products in WebAssembly pack this many rows of the left operand at a time, and this much of the sum. */
export const PACKED_ROWS = 160;
export const PACKED_DEPTH = 256;
/** Shorter rows are not looked at for zeros. */
export const LEAST_SPARSE = 256;
/** Elements other than 0 that are listed at a time, at most, but for those of one row. */
export const MOST_LISTED = 131072;
