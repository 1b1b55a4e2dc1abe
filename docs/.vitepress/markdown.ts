// What Markdown means on the site, where that differs from VitePress: links, anchors, and code by indentation.
import type { MarkdownOptions, MarkdownRenderer } from 'vitepress';
import { anchorOf, siteLink } from './links.js';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

export const markdown: MarkdownOptions = {
  anchor: { slugify: anchorOf },
  config: (md) => {
    md.core.ruler.push('nemokit', ({ tokens, env }) => {
      // relativePath: the page below docs/, as in `tasks/gfp.md`.
      const folder = env.relativePath.split('/').slice(0, -1).join('/');
      for (const token of tokens) {
        indentedToFenced(token);
        for (const child of token.children ?? []) relink(child, folder);
      }
    });
  },
};

/** Gives indented code the look of fenced code, and hides its braces from Vue. */
function indentedToFenced(token: Token): void {
  if (token.type !== 'code_block') return;
  token.type = 'fence';
  token.tag = 'code';
  token.markup = '```';
  token.info = 'txt';
}

function relink(token: Token, folder: string): void {
  const name = { link_open: 'href', image: 'src' }[token.type];
  const link = name && token.attrGet(name);
  if (!name || !link) return;
  // Whole pages of their own, such as reports. The router of the site would look for them among its own pages.
  if (/^[\w./-]+\.html$/.test(link)) token.attrSet('target', '_blank');
  else token.attrSet(name, siteLink(link, folder));
}
