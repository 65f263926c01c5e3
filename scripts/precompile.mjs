// The last step of the build: reads what ships once and for all, so that no start has to.
// Writes dist/contract/ahead.generated.cjs; see src/contract/precompiled.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { AHEAD_FILE } from '../dist/contract/precompiled.js';
import { writeAhead } from '../dist/contract/precompile.js';

const read = (file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
const CONTRACT = 'spec/petstore.openapi.yaml';
const SHIPPED = [CONTRACT, 'spec/gaps.yaml'];

writeFileSync(
  AHEAD_FILE,
  writeAhead(SHIPPED.map((file) => ({ file, text: read(file), isContract: file === CONTRACT }))),
);
