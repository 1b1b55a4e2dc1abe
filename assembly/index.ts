export { addGroups, run } from './program';
