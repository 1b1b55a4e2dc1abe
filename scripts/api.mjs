// The API reference as Markdown, made by TypeDoc from the comments of the entry points.
//   node scripts/api.mjs [folder]     the folder is emptied first; default build/api
// A warning of TypeDoc is an error here.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { entryPoints } from './entryPoints.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** How pages look; these are options of typedoc-plugin-markdown. */
const pages = {
  router: 'member',
  entryFileName: 'index',
  hidePageHeader: true,
  pageTitleTemplates: { index: '{projectName}', module: '{name}', member: '{name}' },
  indexFormat: 'table',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  tableColumnSettings: { hideSources: true, hideDefaults: true, hideInherited: true, hideModifiers: true },
  sanitizeComments: true,
  useCodeBlocks: true,
};

/**
 * Writes a page per name, a page per entry point, index.md, and navigation.json with the tree of these pages.
 * @param {string} folder
 */
export async function makeApi(folder) {
  const entries = entryPoints().map(({ name, source }) => ({ name, file: join(root, source) }));
  const app = await Application.bootstrapWithPlugins(
    /** @type {object} */ ({
      // If no folder is given, TypeDoc empties docs/.
      outputs: [{ name: 'markdown', path: folder }],
      navigationJson: join(folder, 'navigation.json'),
      plugin: ['typedoc-plugin-markdown'],
      tsconfig: join(root, 'tsconfig.json'),
      entryPoints: entries.map(({ file }) => file),
      sortEntryPoints: false,
      name: 'API reference',
      readme: 'none',
      basePath: root,
      displayBasePath: root,
      disableGit: true,
      sourceLinkTemplate: 'https://github.com/nemokit/nemokit/blob/main/{path}#L{line}',
      excludeInternal: true,
      excludePrivate: true,
      navigation: { includeGroups: true, includeFolders: false },
      groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', '*'],
      // Public names are few on purpose. A type that they only mention is shown by its name.
      validation: { notExported: false, invalidLink: true, invalidPath: true, rewrittenLink: true },
      // `npm run check` checks the types.
      skipErrorChecking: true,
      logLevel: 'Warn',
      locales: { en: { kind_module: 'Import from', kind_plural_module: 'Entry points' } },
      ...pages,
    }),
  );
  const project = await app.convert();
  if (!project) throw new Error('TypeDoc cannot read the sources');
  for (const module of project.children ?? []) {
    const entry = entries.find(({ file }) => file === module.sources?.[0]?.fullFileName);
    if (!entry) throw new Error(`${module.name} is no entry point of package.json`);
    module.name = entry.name;
  }
  app.validate(project);
  await app.generateOutputs(project);
  const { errorCount, warningCount } = app.logger;
  if (errorCount + warningCount > 0)
    throw new Error(`TypeDoc found ${errorCount} errors, ${warningCount} warnings`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(root, 'build/api'));
  try {
    await makeApi(folder);
    process.stdout.write(`API reference in ${folder}\n`);
  } catch (error) {
    process.stderr.write(`api: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
