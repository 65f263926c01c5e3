// Bundles what the compiler made in build/ into dist/: a file for each way in, and what they share. Hundreds of small
// files take Node longer to load than all else that a start does.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const file = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const ENTRIES = [
  'cli/fetch-document',
  'cli/petstore-mock',
  'cli/petstore-conformance',
  'conformance/index',
  'index',
  'testing/msw',
  'testing/vitest',
];
/** Files that find others by their own place keep it. */
const PLACED = ['package-files', 'contract/document/precompiled'];

removeOldBundles(file('dist'));
const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, file(`build/${name}.js`)])),
  platform: 'node',
  // Dependencies stay packages, which whoever installs them can see and update.
  external: /^[^./]/,
});
await bundle.write({
  dir: file('dist'),
  entryFileNames: '[name].js',
  chunkFileNames: ({ name }) => (PLACED.includes(name) ? '[name].js' : 'shared/[name]-[hash].js'),
  codeSplitting: { groups: PLACED.map((name) => ({ name, test: new RegExp(`/build/${name}\\.js$`) })) },
});
cpSync(file('build/contract/document/precompiled'), file('dist/contract/document/precompiled'), { recursive: true });

/** Names of shared parts change with their content. */
function removeOldBundles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.c?js$/.test(basename(path)) && !path.includes('/dist/console/')) rmSync(path);
  }
}
