// The pages are those of the package: README.md is the start, and its table "Documentation" the menu.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (page) => readFileSync(join(ROOT, page), 'utf8');

const README = read('README.md');
/** The pages that the README's table names, in its order, each with its kind. */
const PAGES = [...README.matchAll(/^\| (\S+) *\| \[([^\]]+\.md)\]\(\2\) *\|/gm)].map(([, kind, page]) => ({
  kind,
  page,
}));
const KINDS = [...new Set(PAGES.map(({ kind }) => kind))];
const OTHERS = ['SECURITY.md', 'CHANGELOG.md', 'SKILL.md', 'AGENTS.md', 'examples/pet-shop/README.md'];

// The generator finds its own parts from where a page stands, so that pages are copied to it.
const COPIES = join(ROOT, 'site/pages');
rmSync(COPIES, { recursive: true, force: true });
for (const path of ['docs', ...OTHERS]) cpSync(join(ROOT, path), join(COPIES, path), { recursive: true });
cpSync(join(ROOT, 'README.md'), join(COPIES, 'index.md'));

/** What pages link to beside pages, by paths from the root. */
const files = new Set();

export default defineConfig({
  title: 'petstore-mock',
  description: 'A stateful mock server and contract tests for any OpenAPI document.',
  base: process.env.SITE_BASE ?? '/',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './node_modules/.cache/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    config(md) {
      const open =
        md.renderer.rules.link_open ??
        ((tokens, index, options, _env, self) => self.renderToken(tokens, index, options));
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const href = tokens[index].attrGet('href') ?? '';
        // The README is the start.
        if (/^(?:\.\.\/)+README\.md(?:#|$)/.test(href))
          tokens[index].attrSet('href', href.replace('README.md', 'index.md'));
        if (!/^(?:\w+:|#)|\.(?:md|html)(?:#|$)/.test(href)) keepFile(tokens[index], href, env);
        return open(tokens, index, options, env, self);
      };
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    sidebar: [
      { text: 'Start', items: [{ text: 'petstore-mock', link: '/' }] },
      ...KINDS.map((text) => ({ text, items: PAGES.filter(({ kind }) => kind === text).map(toItem) })),
    ],
  },
  buildEnd({ outDir }) {
    // For agents: the list of pages, and the pages as they are written.
    for (const path of ['llms.txt', ...PAGES.map(({ page }) => page)]) cpSync(join(ROOT, path), join(outDir, path));
    for (const path of files) {
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      cpSync(join(ROOT, path), join(outDir, path), { recursive: true });
    }
  },
});

function toItem({ page }) {
  return { text: titleOf(page), link: `/${page}` };
}

function titleOf(page) {
  return /^# (.+)$/m.exec(read(page))?.[1] ?? page;
}

/** A file of the package is copied to where the page looks for it, and opened as it is. */
function keepFile(token, href, { relativePath = '' }) {
  const from = relativePath === 'index.md' ? '' : dirname(relativePath);
  const path = join(from, href.split('#')[0] ?? '');
  if (path.startsWith('..') || !existsSync(join(ROOT, path))) return;
  files.add(path);
  token.attrSet('target', '_self');
}
