/** A molecule as RDKit drew it: lines and shapes, in the colour of the text where it is black. */
import type { Host } from '../../protocol/index.js';

type Drawing = Awaited<ReturnType<Host['molecules']>>[string];

export function Molecule({
  drawing: { width, height, paths },
  smiles,
}: {
  readonly drawing: Drawing;
  readonly smiles: string;
}) {
  return (
    <svg
      className="molecule"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={smiles}
    >
      {paths.map(({ d, colour = 'currentColor', stroke }) =>
        stroke === undefined ? (
          <path key={d} d={d} fill={colour} />
        ) : (
          <path key={d} d={d} fill="none" stroke={colour} strokeWidth={stroke} />
        ),
      )}
    </svg>
  );
}
