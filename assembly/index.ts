export { addGroups, run } from './program';
export { choleskyFactor, linalgRoom, multiplyTransposed, solveLower, solveLowerTransposed } from './linalg';
export { pairCovariances, pairRoom } from './pairs';
