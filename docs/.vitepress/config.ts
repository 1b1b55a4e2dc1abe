// The documentation site. scripts/docs.mjs copies docs/ and the API reference to build/docs-src, and builds from there.
import { type DefaultTheme, defineConfig } from 'vitepress';
import { repository, root } from './links.js';
import { markdown } from './markdown.js';
import { apiGroups, readingPaths } from './sidebar.js';

const paths = readingPaths(`${root}docs`);
const reference = { text: 'API reference', link: '/api/' };
const startOf = ({ text = '', items }: DefaultTheme.SidebarItem): DefaultTheme.NavItem[] =>
  items?.[0]?.link ? [{ text, link: items[0].link }] : [];

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 12C5 12 5 4 8 4s3 8 7 8" fill="none" stroke="#5672cd" stroke-width="2.5"/></svg>',
  );

export default defineConfig({
  title: 'nemokit',
  description:
    'Offline model-based optimisation: from a table of past experiments to a batch of better designs.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: `${root}build/docs-src`,
  outDir: `${root}build/site`,
  cacheDir: `${root}build/vitepress-cache`,
  head: [['link', { rel: 'icon', href: icon }]],
  markdown,
  transformPageData: ({ relativePath, frontmatter }) => {
    // Made from comments: there is no page to edit.
    if (relativePath.startsWith('api/')) Object.assign(frontmatter, { editLink: false, pageClass: 'api' });
  },
  themeConfig: {
    nav: [...paths.slice(0, 2).flatMap(startOf), reference],
    sidebar: {
      '/api/': [reference, ...apiGroups(`${root}build/docs-src/api/navigation.json`)],
      '/': [...paths, reference],
    },
    search: {
      provider: 'local',
      options: {
        // Who looks for a word wants the page that explains it before the names that contain it.
        miniSearch: { searchOptions: { boostDocument: (id: string) => (id.includes('/api/') ? 0.1 : 1) } },
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: {
      // Runs in the browser, so it can use nothing from above.
      pattern: ({ filePath }) =>
        `https://github.com/nemokit/nemokit/edit/main/docs/${filePath.replace(/index\.md$/, 'README.md')}`,
      text: 'Edit this page on GitHub',
    },
  },
});
