import { dataFolderPath } from '../data/dataFolder.js';
import { capabilities, type Kernel, openEngine } from '../numeric/index.js';
import { version } from '../version.js';
import { palette } from './palette.js';
import { selfCheck } from './selfCheck.js';

export interface DoctorReport {
  readonly version: string;
  readonly node: string;
  readonly system: string;
  readonly kernel: Kernel;
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

/** A float32 step differs from a float64 one by about 1e-6; this is far from both that and from a real fault. */
const ALLOWED_ERROR = 1e-3;

export async function doctor(options: { json?: boolean }): Promise<void> {
  const report = await examine();
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : print(report));
  if (!report.isSound) process.exitCode = 1;
}

async function examine(): Promise<DoctorReport> {
  const able = capabilities();
  await using engine = await openEngine();
  const { gigaflopPerSecond, networks, error } = await selfCheck(engine);
  return {
    version,
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    kernel: engine.kernel,
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

function print(report: DoctorReport): string {
  const pc = palette(process.stdout);
  const simd = report.relaxedSimd ? 'relaxed (fused multiply-add)' : report.simd ? 'plain' : 'none';
  const lines: [string, string, string?][] = [
    ['nemokit', report.version],
    ['Node', report.node, report.system],
    [
      'kernel',
      report.kernel,
      process.env.NEMOKIT_KERNEL ? 'set by NEMOKIT_KERNEL' : 'chosen by itself; NEMOKIT_KERNEL changes it',
    ],
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
