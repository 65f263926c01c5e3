// Bundles what the compiler made in build/ into dist/: a file for each way in, and what they share. Hundreds of small
// files take Node longer to load than all else that a start does.
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { minifySync } from 'rolldown/utils';

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
/** Files that find others by their own place keep it, and so does the SDK of the Model Context Protocol. */
const PLACED = ['package-files', 'contract/document/precompiled', 'mcp/sdk'];
/** What of other packages is put into a file of ours: one command needs it, and every install would carry the packages. */
const BUNDLED = /^(?:@modelcontextprotocol\/|zod(?:\/|$))/;

removeOldBundles(file('dist'));
const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, file(`build/${name}.js`)])),
  platform: 'node',
  // Dependencies stay packages, which whoever installs them can see and update.
  external: (id) => /^[^./]/.test(id) && !BUNDLED.test(id),
  plugins: [{ name: 'without-second-ajv', resolveId: leaveOutValidator, load: giveNoValidator }],
});
await bundle.write({
  dir: file('dist'),
  entryFileNames: '[name].js',
  chunkFileNames: ({ name }) => (PLACED.includes(name) ? '[name].js' : 'shared/[name]-[hash].js'),
  codeSplitting: {
    groups: PLACED.map((name) => ({
      name,
      test:
        name === 'mcp/sdk' ? /\/build\/mcp\/sdk\.js$|\/node_modules\/|^\0shims$/ : new RegExp(`/build/${name}\\.js$`),
    })),
  },
});
shrink(file('dist/mcp/sdk.js'));
gatherLicenses();
// npx links the programs of a clone, and makes them executable once for a path, not again after a build.
const { bin } = JSON.parse(readFileSync(file('package.json'), 'utf8'));
for (const program of Object.values(bin)) chmodSync(file(program), 0o755);
cpSync(file('build/contract/document/precompiled'), file('dist/contract/document/precompiled'), { recursive: true });

/** The SDK brings an Ajv of its own for forms that servers ask users to fill in; ours asks for none. */
function leaveOutValidator(id) {
  return id === '@modelcontextprotocol/server/_shims' ? '\0shims' : undefined;
}

function giveNoValidator(id) {
  if (id !== '\0shims') return undefined;
  return `export { default as process } from 'node:process';
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('no form is asked for here'); }
}`;
}

/** The licenses ask to be handed on with what is bundled; the pages in the browser bundle the last two. */
function gatherLicenses() {
  const names = ['@modelcontextprotocol/server', 'zod', 'preact', '@preact/signals'];
  const texts = names.map((name) => {
    const { version } = JSON.parse(readFileSync(file(`node_modules/${name}/package.json`), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(file(`node_modules/${name}/LICENSE`), 'utf8').trim()}\n`;
  });
  writeFileSync(file('dist/third-party-licenses.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

function shrink(path) {
  const { code } = minifySync(path, readFileSync(path, 'utf8'), { module: true });
  const notice =
    '/*! @modelcontextprotocol/server and core (Apache-2.0), zod (MIT): see third-party-licenses.txt. */\n';
  writeFileSync(path, notice + code);
}

/** Names of shared parts change with their content. */
function removeOldBundles(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.c?js$/.test(basename(path)) && !path.includes('/dist/console/')) rmSync(path);
  }
}
