/** `nemokit doctor --json`. Types: cli/doctor.ts. */
import { z } from 'zod';
import { flag, number, ordinal, text } from '../runs/schemaValues.js';

export const doctorReport = z
  .strictObject({
    doctorVersion: z.literal(1).describe('Version of this format.'),
    version: text('Version of nemokit.'),
    node: text('Version of Node.'),
    system: text('Operating system and processor, such as "linux x64".'),
    kernel: z
      .enum(['native', 'wasm', 'wasm-relaxed', 'reference'])
      .describe('The kernel that runs are computed with.'),
    kernelReason: text('Why this kernel.'),
    native: z
      .string()
      .nullable()
      .describe('Instructions of the native kernels, such as "avx2"; null without them.'),
    threads: ordinal('Threads that are used.'),
    hardwareThreads: ordinal('Threads of the machine.'),
    simd: flag('Whether the machine has SIMD.'),
    relaxedSimd: flag('Whether it has relaxed SIMD.'),
    gigaflopPerSecond: number('Speed of training.'),
    networks: text('What the speed was measured on.'),
    error: number('Largest difference of one training step from the float64 reference, relative.'),
    isSound: flag('Whether that is small enough; if not, the exit code is 1.'),
    dataFolder: text('Where datasets of the benchmark are looked for.'),
  })
  .meta({ title: 'nemokit doctor --json', description: 'What nemokit runs on here, and whether it works.' });
