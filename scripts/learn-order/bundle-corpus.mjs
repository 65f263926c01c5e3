// The mutants of test/mutation and their server, as JavaScript.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const CORPUS = fileURLToPath(new URL('../../test/mutation/', import.meta.url));

export async function bundleCorpus() {
  const bundle = await rolldown({
    input: { corpus: 'corpus' },
    platform: 'node',
    plugins: [
      {
        name: 'corpus',
        resolveId: (id) => (id === 'corpus' ? join(CORPUS, 'corpus.ts') : null),
        load: (id) =>
          id === join(CORPUS, 'corpus.ts')
            ? "export { mutantList } from './mutants/index.js'; export { startMutationServer } from './server/start-server.js';"
            : null,
      },
    ],
  });
  const file = fileURLToPath(new URL(`../../build/mutation-corpus-${process.pid}.mjs`, import.meta.url));
  await bundle.write({ file });
  try {
    return await import(file);
  } finally {
    rmSync(file);
  }
}
