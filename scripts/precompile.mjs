// The last step of the build: reads what ships once and for all, so that no start has to.
// Writes dist/contract/document/precompiled.generated.cjs; see src/contract/document/precompiled.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { PRECOMPILED_FILE } from '../dist/contract/document/precompiled.js';
import { precompile } from '../dist/contract/precompile.js';

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const CONTRACT = 'spec/petstore.openapi.yaml';
const SHIPPED = [CONTRACT, 'spec/gaps.yaml'];

writeFileSync(
  PRECOMPILED_FILE,
  precompile(SHIPPED.map((file) => ({ file, text: read(file), isContract: file === CONTRACT }))),
);
