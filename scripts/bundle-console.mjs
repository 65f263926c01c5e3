// Bundles the pages of the mock, src/console/, into dist/console/, with all that they need, so that users install nothing more.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

if (!existsSync(file('node_modules/preact'))) {
  // A checkout that is newer than what is installed can still be built and tested, but for its pages. A package cannot.
  console.error('The console is not bundled, since preact is not installed; run npm ci.');
  process.exit(process.env.CI === 'true' || process.env.npm_lifecycle_event === 'prepack' ? 1 : 0);
}

const { rolldown } = await import('rolldown');

const bundle = await rolldown({
  input: { home: file('src/console/home.tsx'), admin: file('src/console/admin.tsx') },
  platform: 'browser',
  tsconfig: file('src/console/tsconfig.json'),
  transform: { target: 'es2023', define: { 'process.env.NODE_ENV': '"production"' } },
});
await bundle.write({
  dir: file('dist/console'),
  entryFileNames: '[name].js',
  chunkFileNames: 'shared.js',
  minify: true,
  codeSplitting: {
    groups: [{ name: 'shared', test: /node_modules|src\/console\/(?:api|copy-as|exact-json)|copy-button/ }],
  },
});
// Later ones count.
const STYLES = ['base', 'panels', 'exchanges', 'records', 'send', 'narrow'];
const styles = STYLES.map((name) => readFileSync(file(`src/console/style/${name}.css`), 'utf8'));
// What the formatter lays out, a browser does not need.
writeFileSync(file('dist/console/style.css'), styles.join('').replaceAll(/\s*\n\s*/g, '\n'));
copyFileSync(file('src/console/icon.svg'), file('dist/console/icon.svg'));
