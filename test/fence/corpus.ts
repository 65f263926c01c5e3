// What the fence runs the runner at, for `scripts/fence.mjs`: a server for each row, by groups.
import type { ConformanceOptions } from '../../src/conformance/index.js';
import { mutantList, type MutantId } from '../mutation/mutants/index.js';
import { startMutationServer } from '../mutation/server/start-server.js';
import { variantList, type VariantId } from '../mutation/variants/index.js';

export interface FenceRow {
  /** `mutants/limit-one-more`: the same in every recording. */
  id: string;
  start: () => Promise<{ url: string; apiKey: string; close: () => Promise<void> }>;
  options?: Partial<ConformanceOptions>;
}

export const rows: readonly FenceRow[] = [
  { id: 'strict', start: () => startMutationServer() },
  ...mutantList.map(({ id, reading }) => ({
    id: `mutants/${id}`,
    start: () => startMutationServer({ mutants: [id as MutantId] }),
    // A mutant does not settle. By the letter a page may be shorter than its limit; a strict run wants it full.
    options: { settleMs: 200, strict: reading === 'full-pages' },
  })),
  ...variantList.map(({ id }) => ({
    id: `variants/${id}`,
    start: () => startMutationServer({ variant: id as VariantId }),
  })),
];
