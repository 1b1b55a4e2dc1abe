/** One version of an algorithm per table: records of other code are left out, and said to be. */
import { ArgumentError } from '../numeric/errors.js';
import type { TrialRecord } from './records.js';
import { firstVersion } from './trial.js';

export function versionOf({
  algorithmVersion = firstVersion,
}: Pick<TrialRecord, 'algorithmVersion'>): string {
  return algorithmVersion;
}

export interface OneVersion {
  readonly records: readonly TrialRecord[];
  readonly leftOut: readonly {
    readonly algorithm: string;
    readonly version: string;
    readonly records: number;
    /** The version that is used. */
    readonly beside: string;
  }[];
}

/** Of each algorithm the records of the wanted version; by default of the newest that there is. */
export function oneVersion(
  records: readonly TrialRecord[],
  wanted: ReadonlyMap<string, string> = new Map(),
): OneVersion {
  const versions = new Map<string, Map<string, number>>();
  for (const record of records) {
    const counts = versions.get(record.algorithm) ?? new Map<string, number>();
    const version = versionOf(record);
    counts.set(version, (counts.get(version) ?? 0) + 1);
    versions.set(record.algorithm, counts);
  }
  for (const [algorithm, version] of wanted) {
    const found = [...(versions.get(algorithm)?.keys() ?? [])];
    if (!found.includes(version))
      throw new ArgumentError(
        '--algorithm-version',
        `there are no records of ${algorithm} ${version}${found.length > 0 ? `; there are ${found.join(', ')}` : ''}`,
      );
  }
  const used = new Map(
    [...versions].map(([algorithm, counts]) => [
      algorithm,
      wanted.get(algorithm) ?? [...counts.keys()].toSorted(compareVersions).at(-1)!,
    ]),
  );
  return {
    records: records.filter((record) => used.get(record.algorithm) === versionOf(record)),
    leftOut: [...versions].flatMap(([algorithm, counts]) =>
      [...counts]
        .filter(([version]) => version !== used.get(algorithm))
        .map(([version, count]) => ({
          algorithm,
          version,
          records: count,
          beside: used.get(algorithm)!,
        })),
    ),
  };
}

/** "0.1.0" before "0.2.0" before "0.10.0": part by part, as numbers where both are. */
export function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
