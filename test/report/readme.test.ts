import { describe, expect, it } from 'vitest';
import { renderReadme } from '../../src/report/index.js';
import { oddDocuments } from './oddDocuments.js';
import { sampleDocument } from './sampleDocument.js';

const files = [
  'manifest.json',
  'problem.yaml',
  'data.parquet',
  'candidates.csv',
  'candidates.json',
  'model.safetensors',
  'model.json',
  'events.jsonl',
  'report.html',
];

describe('README.txt', () => {
  const text = renderReadme(sampleDocument());

  it.each(files)('says what %s is', (file) => {
    expect(text).toMatch(new RegExp(`^${file.replace('.', '\\.')} +\\S`, 'm'));
  });

  it('says how to feed measurements back, and how to run it again', () => {
    expect(text).toContain('into the empty column "yield"');
    expect(text).toContain(
      'nemokit design problem.yaml --add candidates.csv --out ../2026-11-15-yield-7f3a-next\n',
    );
    expect(text).toContain('   nemokit reproduce .\n');
    expect(text).toContain(
      'Candidate 1: expected 85.5, 80 % interval 81.9 to 89.0, chance of beating it\n90\u202f%, Trusted.',
    );
  });

  it('fits into a terminal, but for commands', () => {
    for (const line of text.split('\n')) if (!line.includes('nemokit ')) expect(line.length).toBeLessThan(79);
  });

  it('names every goal', () => {
    const several = renderReadme(oddDocuments['several goals']!());
    expect(several).toContain('the empty columns "yield" and "cost"');
  });

  it('asks for no measurements where nothing is proposed', () => {
    const none = renderReadme(oddDocuments['no candidates']!());
    expect(none).toContain('There are no candidates.');
    expect(none).not.toContain('WHAT TO DO');
  });

  it('quotes names for every shell', () => {
    const sample = sampleDocument();
    const spaced = renderReadme({ ...sample, run: { ...sample.run, id: 'my run' } });
    expect(spaced).toContain('--out "../my run-next"');
  });

  it.each(Object.entries(oddDocuments))('%s: no NaN, undefined, null', (_, build) => {
    expect(renderReadme(build())).not.toMatch(/\b(?:NaN|undefined|null|Infinity)\b/);
  });
});
