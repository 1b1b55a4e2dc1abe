export type { ClassScores } from './classes.js';
export { fromScale, toScale } from './columnScale.js';
export { decideFeasibility, type Feasibility } from './feasibility.js';
export { InfeasibleError } from './infeasibleError.js';
export { type Projector, type ProjectorOptions, projector } from './project.js';
export { requireSpace } from './requireSpace.js';
export { sample } from './sample.js';
export { solverFile } from './solver.js';
export { violations } from './verify.js';
