/** `nemokit doctor`: version, kernel, SIMD and threads of this machine, and whether a training step is right. */
import type { Command } from 'commander';
import { dataFolderPath } from '../data/dataFolder.js';
import {
  type Capabilities,
  capabilities,
  type Engine,
  gradient,
  type Kernel,
  NetworkStack,
  openEngine,
  rootKey,
  Stream,
  thermometer,
  value,
} from '../numeric/index.js';
import { version } from '../version.js';
import { palette } from './palette.js';
import { printJson } from './printJson.js';
import { writeOut } from './screen.js';

/** What `--json` prints. */
export interface DoctorReport {
  readonly doctorVersion: 1;
  readonly version: string;
  readonly node: string;
  readonly system: string;
  readonly kernel: Kernel;
  /** Why this kernel. */
  readonly kernelReason: string;
  /** Instructions of the native kernels, such as `avx2`; null without them. */
  readonly native: string | null;
  readonly threads: number;
  readonly hardwareThreads: number;
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  readonly gigaflopPerSecond: number;
  /** What the speed was measured on. */
  readonly networks: string;
  /** Largest difference of one training step from the float64 reference, relative. */
  readonly error: number;
  readonly isSound: boolean;
  /** Where datasets of benchmark tasks are looked for. */
  readonly dataFolder: string;
}

/** Rounding to float32 makes a difference of about 1e-6; a real fault makes one far above this. */
const ALLOWED_ERROR = 1e-3;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('say what nemokit runs on here: version, kernel, SIMD, threads, and whether they work')
    .option('--json', 'print one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const report = await examine();
      if (json) printJson(report);
      else writeOut(print(report));
      if (!report.isSound) process.exitCode = 1;
    });
}

async function examine(): Promise<DoctorReport> {
  const able = capabilities();
  await using engine = await openEngine();
  const { gigaflopPerSecond, networks, error } = await selfCheck(engine);
  return {
    doctorVersion: 1,
    version,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    kernel: engine.kernel,
    kernelReason: reasonFor(able),
    native: able.native,
    threads: engine.threads,
    hardwareThreads: able.hardwareThreads,
    simd: able.simd,
    relaxedSimd: able.relaxedSimd,
    gigaflopPerSecond,
    networks,
    error,
    isSound: error < ALLOWED_ERROR,
    dataFolder: dataFolderPath(),
  };
}

function reasonFor({ native, nativeMissing, relaxedSimd }: Capabilities): string {
  if (process.env.NEMOKIT_KERNEL && process.env.NEMOKIT_KERNEL !== 'auto') return 'set by NEMOKIT_KERNEL';
  if (native) return `compiled for this machine (${native}); NEMOKIT_KERNEL changes it`;
  const rest = relaxedSimd ? '' : ', and this machine has no relaxed SIMD';
  return `no native kernels: ${nativeMissing}${rest}; NEMOKIT_KERNEL changes it`;
}

function print(report: DoctorReport): string {
  const pc = palette(process.stdout);
  const simd = report.relaxedSimd ? 'relaxed (fused multiply-add)' : report.simd ? 'plain' : 'none';
  const lines: [string, string, string?][] = [
    ['nemokit', report.version],
    ['Node', report.node, report.system],
    ['kernel', report.kernel, report.kernelReason],
    ['SIMD', simd, 'what this machine can run'],
    [
      'threads',
      String(report.threads),
      `${report.hardwareThreads} in this machine; NEMOKIT_THREADS changes it`,
    ],
    [
      'speed',
      `${report.gigaflopPerSecond.toFixed(report.gigaflopPerSecond < 10 ? 1 : 0)} GFLOP/s`,
      `training ${report.networks}`,
    ],
    ['data', report.dataFolder, 'NEMOKIT_DATA changes it'],
    [
      'check',
      report.isSound ? pc.green('sound') : pc.red('WRONG'),
      `a training step is within ${report.error.toExponential(0)} of float64`,
    ],
  ];
  const body = lines
    .map(([name, text, note]) => `  ${pc.bold(name.padEnd(9))}${text}${note ? pc.dim(`  ${note}`) : ''}\n`)
    .join('');
  const advice = report.isSound
    ? ''
    : '\n  Set NEMOKIT_KERNEL=reference and report this with the lines above.\n';
  return `\n${body}${advice}\n`;
}

/** One training program of K networks on rows made up from a seed. */
async function training(engine: Engine, K: number, d: number, h: number, rows: number) {
  const stack = new NetworkStack(engine, { models: K, inputs: d, hidden: [h, h] });
  stack.initialize(rootKey(0));
  const stream = new Stream(rootKey(1));
  const x = engine.variable('x', { rows, columns: d });
  const labels = engine.variable('labels', { rows, columns: 2 });
  const values = new Float32Array(rows * d);
  stream.fillUniform(values, -1, 1);
  x.write(values);
  labels.write(Array.from({ length: rows }, () => stream.integer(20)).flatMap((bin) => [bin, bin]));
  const loss = thermometer(stack.output(value(x)), value(labels), 20, 0.05);
  const parameters = stack.parameters();
  const gradients = gradient(loss, parameters.map(value));
  const kept = parameters.map(({ name, rows, columns, layout, models }) =>
    engine.variable(`gradient ${name}`, { rows, columns, layout, models }),
  );
  const differentiate = engine.compile('differentiate', [
    gradients.map((from, i) => ({ kind: 'store', to: kept[i]!, from })),
  ]);
  const update = engine.compile('update', [stack.update(gradients)]);
  return { stack, kept, differentiate, update };
}

/** Gradients of small networks, all in one list. */
async function smallGradients(kernel: Kernel, threads: number): Promise<number[]> {
  await using engine = await openEngine({ kernel, threads });
  const { kept, differentiate } = await training(engine, 9, 11, 13, 21);
  await differentiate.run();
  return kept.flatMap((variable) => [...variable.read()]);
}

/** Speed at the size of the paper's largest networks, and the error of a gradient against the float64 reference. */
async function selfCheck(
  engine: Engine,
): Promise<{ gigaflopPerSecond: number; networks: string; error: number }> {
  const actual = await smallGradients(engine.kernel, engine.threads);
  const exact = await smallGradients('reference', 1);
  const largest = exact.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const difference = exact.reduce((most, value, i) => Math.max(most, Math.abs(value - actual[i]!)), 0);
  // the reference would take minutes at full size
  const [K, d, h, rows] = engine.kernel === 'reference' ? [2, 11, 13, 21] : [40, 81, 256, 128];
  const { stack, update } = await training(engine, K, d, h, rows);
  let seconds = 0;
  let steps = 0;
  while (seconds < 0.5) {
    stack.advance({ rate: 1e-3 });
    const start = performance.now();
    await update.run();
    if (steps > 0 || engine.kernel === 'reference') seconds += (performance.now() - start) / 1000;
    steps += 1;
  }
  const upper = h * h + h;
  const operations = K * 2 * rows * (2 * (d * h + upper) + upper);
  const counted = engine.kernel === 'reference' ? steps : steps - 1;
  return {
    gigaflopPerSecond: (operations * counted) / seconds / 1e9,
    networks: `${K} networks of ${d}-${h}-${h}-1`,
    error: difference / largest,
  };
}
