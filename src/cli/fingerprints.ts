import type { DesignRequest } from '../design/designRequest.js';
import type { ProblemExtras } from '../problem/index.js';
import { inspect } from '../table/index.js';

/** Fingerprints of molecules where a table has some and RDKit is installed; otherwise the problem says what is missing. */
export async function fingerprintsFor({
  table,
}: Pick<DesignRequest, 'table'>): Promise<Omit<ProblemExtras, 'choices'>> {
  if (!inspect(table).some(({ type }) => type === 'smiles')) return {};
  const { openFingerprints } = await import('../problem/platform/rdkit.js');
  const fingerprints = await openFingerprints().catch(() => undefined);
  return fingerprints ? { fingerprints } : {};
}
