// Facts of a run that is likely to be better, for tests that change one of them.
import type { Candidate } from '../../src/design/runDocument.js';
import type { VerdictFacts } from '../../src/judging/verdict.js';

const candidate = { expected: 60, lo80: 55, hi80: 65, better: 0.9, trust: 'Trusted' } as unknown as Candidate;

export const goodFacts: VerdictFacts = {
  candidates: [candidate, candidate],
  asked: 2,
  rehearsed: {
    rankCorrelation: 0.9,
    luck: 0,
    delivered: 58,
    bestSeen: 50,
  },
  rows: 50,
  range: 40,
  wild: [],
};
