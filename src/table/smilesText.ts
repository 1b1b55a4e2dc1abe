/** A part of the SMILES grammar (OpenSMILES 1.0): organic subset, bracket atoms, bonds, branches, ring closures. */
const atom =
  /(?:Cl|Br|[BCNOPSFI]|[bcnops]|\*|\[\d*(?:[A-Z][a-z]?|[bcnops]|se|as|\*)@{0,2}(?:H\d*)?(?:[+-]+\d*)?(?::\d+)?\])/y;

export interface SmilesLook {
  readonly isValid: boolean;
  /** Has a ring, a branch, a bracket or a written bond: "CON" could be a word, "C1CC1" could not. */
  readonly hasStructure: boolean;
}

/** Whether `text` could be a molecule. Brackets match and rings close; valences and aromaticity are not looked at. */
export function lookAtSmiles(text: string): SmilesLook {
  const openRings = new Set<string>();
  let depth = 0;
  let hasStructure = false;
  let hasAtom = false;
  let mayEnd = false;
  let at = 0;
  while (at < text.length) {
    atom.lastIndex = at;
    const found = atom.exec(text);
    if (found) {
      hasStructure ||= found[0].startsWith('[');
      hasAtom = true;
      mayEnd = true;
      at += found[0].length;
      continue;
    }
    const character = text[at]!;
    if (!hasAtom) return { isValid: false, hasStructure };
    if (/[0-9%]/.test(character)) {
      const ring = character === '%' ? text.slice(at + 1, at + 3) : character;
      if (!/^\d{1,2}$/.test(ring) || (character === '%' && ring.length < 2))
        return { isValid: false, hasStructure };
      if (!openRings.delete(ring)) openRings.add(ring);
      hasStructure = true;
      mayEnd = true;
      at += character === '%' ? 3 : 1;
      continue;
    }
    if (character === '(') depth++;
    else if (character === ')') {
      if (depth === 0 || !mayEnd) return { isValid: false, hasStructure };
      depth--;
    } else if (!/[-=#:/\\.$]/.test(character)) return { isValid: false, hasStructure };
    // A dot only separates molecules.
    hasStructure ||= character !== '.';
    mayEnd = character === ')';
    at++;
  }
  return { isValid: hasAtom && depth === 0 && openRings.size === 0 && mayEnd, hasStructure };
}
