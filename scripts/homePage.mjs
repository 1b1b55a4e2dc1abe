// The home page of the documentation site, from README.md and docs/README.md.

/**
 * The reading paths of docs/README.md. Above them: what README.md promises, and its picture. Below them: its limits.
 * @param {string} readme @param {string} paths
 * @returns {string} Markdown of a page in docs/
 */
export function homePage(readme, paths) {
  const promise = /^[A-Za-z][^\n]*(?:\n[^\n]+)*/m.exec(readme)?.[0];
  const picture = /^\[!\[[^\n]*(?:\n\n_[^_]*_)?/m.exec(readme)?.[0] ?? '';
  const limits = /^## What nemokit promises[\s\S]*?(?=^## |(?![\s\S]))/m.exec(readme)?.[0];
  if (!promise || !limits)
    throw new Error('README.md has no first paragraph, or no "## What nemokit promises"');
  const settings = {
    layout: 'home',
    titleTemplate: 'from past experiments to better designs',
    hero: {
      name: 'nemokit',
      text: 'From past experiments to better designs',
      tagline: plain(promise),
      actions: [
        { theme: 'brand', text: 'First example', link: '/examples/' },
        { theme: 'alt', text: 'Commands', link: '/cli' },
      ],
    },
  };
  const parts = [fromDocs(picture), paths.replace(/^# .*\n/, ''), fromDocs(limits)];
  return `---\n${JSON.stringify(settings)}\n---\n\n${parts.join('\n\n')}`;
}

/** Text of a paragraph without its marks. @param {string} markdown */
function plain(markdown) {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .replaceAll('\n', ' ');
}

/** Addresses of the repository, which npmjs.com needs in README.md. */
const publicAddress =
  /\]\(https:\/\/(?:github\.com\/nemokit\/nemokit\/(?:blob|tree)|raw\.githubusercontent\.com\/nemokit\/nemokit)\/main\//g;

/** Links of README.md as links relative to docs/. @param {string} markdown */
function fromDocs(markdown) {
  return markdown
    .replaceAll(publicAddress, '](')
    .replace(/\]\((?![a-z][a-z\d+.-]*:|[#/])(docs\/)?/g, (_, inside) => (inside ? '](' : '](../'));
}
