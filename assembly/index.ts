export { addGroups, run } from './program';
export { choleskyFactor, invertFactor, linalgRoom, multiplyTransposed, solveLower, solveLowerTransposed } from './linalg';
export { packGroup, pairCovariances, pairRoom, pairSlopes, pairValues } from './pairs';
