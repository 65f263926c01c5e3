import type { GapChoice } from '../../model/result.js';

/** The outcome of a second look: a defect, nothing at all, a choice that the contract leaves open, or what would tell them apart. */
export type Look = 'defect' | 'fine' | { gap: GapChoice } | { needs: string };

export const SHORT_PAGES: Look = { gap: { id: 'short-pages', choice: 'shorter' } };
export const MOVES: Look = { gap: { id: 'status-after-create', choice: 'moves-by-itself' } };
