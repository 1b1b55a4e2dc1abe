export type { ClassScores } from './classes.js';
export { exactZeros } from './exactZeros.js';
export { decideFeasibility, type Feasibility, InfeasibleError } from './feasibility.js';
export { type Projector, type ProjectorOptions, projector } from './project.js';
export { requireSpace } from './requireSpace.js';
export { sample } from './sample.js';
export { solverFile } from './solver.js';
export { fromScale, toScale } from './space.js';
export { violations } from './verify.js';
