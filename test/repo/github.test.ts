// The files that GitHub reads: they are only tried there, so what can be checked here is.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const folder = new URL('../../.github/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix: { readonly os: string[]; readonly node: number[] } };
}

describe('the workflow', () => {
  const workflow = parse(textOf('workflows/ci.yml'));
  const jobs = Object.values(workflow.jobs as Record<string, Job>);
  const steps = jobs.flatMap((job) => job.steps);

  it('may only read', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const { uses } of steps.filter((step) => step.uses)) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
  });

  it("runs the README's commands on every system and supported Node", () => {
    const { steps: own, strategy } = workflow.jobs.test as Job;
    const commands = own.flatMap(({ run }) => run ?? []);
    expect(commands).toEqual(expect.arrayContaining(['npm ci', 'npm run demo', 'npm test']));
    expect(strategy!.matrix.os.map((name) => name.replace('-latest', ''))).toEqual([
      'ubuntu',
      'macos',
      'windows',
    ]);
    expect(manifest.engines.node).toBe(`>=${strategy!.matrix.node[0]}.19`);
  });

  it('calls scripts that are there', () => {
    const called = steps.flatMap(({ run }) =>
      [...(run ?? '').matchAll(/npm run ([\w:]+)/g)].map(([, n]) => n),
    );
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(called));
  });
});

describe('issue forms', () => {
  const names = readdirSync(new URL('ISSUE_TEMPLATE/', folder)).filter((name) => name !== 'config.yml');

  it('are three', () => expect(names.toSorted()).toEqual(['bug.yml', 'results.yml', 'table.yml']));

  it.each(names)('%s has what GitHub requires', (name) => {
    const form = parse(textOf(`ISSUE_TEMPLATE/${name}`));
    expect(typeof form.name).toBe('string');
    expect(typeof form.description).toBe('string');
    const ids = form.body.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of form.body) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes', 'markdown']).toContain(type);
      expect(attributes.label.length).toBeGreaterThan(3);
    }
    // commands that the forms ask for
    for (const [, command] of textOf(`ISSUE_TEMPLATE/${name}`).matchAll(/`npx nemokit (\w+)`/g))
      expect(['doctor', 'check']).toContain(command);
  });
});
