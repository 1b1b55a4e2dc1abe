// Prints the models of the three robots as JSON, for trajectories.py: node test/golden/mujoco/models.mjs
import { antDefault, antXml } from '../../../dist/simulation/ant.js';
import { dkittyDefault, dkittyXml } from '../../../dist/simulation/dkittyModel.js';
import { hopperXml } from '../../../dist/simulation/hopper.js';

process.stdout.write(
  JSON.stringify({ hopper: hopperXml, ant: antXml(antDefault), dkitty: dkittyXml(dkittyDefault) }),
);
