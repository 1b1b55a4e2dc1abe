// What the page of plug-ins imports is there to be imported.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as main from '../../src/index.js';
import * as node from '../../src/node.js';
import * as research from '../../src/research.js';
import * as tasks from '../../src/tasks/index.js';

const entries: Record<string, object> = {
  nemokit: main,
  'nemokit/node': node,
  'nemokit/research': research,
  'nemokit/tasks': tasks,
};

it.each(['docs/plugins.md', 'examples/plugin.mjs'])('%s', (path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const imports = [...text.matchAll(/import \{([^}]*)\} from\s+'([^']*)'/g)].filter(([, , from]) =>
    from!.startsWith('nemokit'),
  );
  expect(imports.length).toBeGreaterThanOrEqual(2);
  for (const [, names, from] of imports)
    for (const name of names!.split(',').map((one) => one.trim()))
      expect(Object.keys(entries[from!]!), `${name} of ${from}`).toContain(name);
});
