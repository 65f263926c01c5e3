import type { Change } from '../server/behaviour.js';
import { readRows, type ById } from '../server/registry.js';

/**
 * What a few mutants rest on besides the words of the interface: how everybody
 * reads it, though a lawyer might not.
 */
export const readings = {
  'complete-lists': 'A list leaves out a matching pet only when `limit` is reached.',
  'full-pages': 'A page has as many pets as its limit when there are that many: by the letter the limit is a maximum.',
  'only-bearer': 'The key counts only when it is sent as the interface describes.',
  'same-everywhere': 'A pet shows the same fields wherever it is returned.',
  'names-kept': 'A pet keeps its name exactly as it was sent.',
} as const;

export type Reading = keyof typeof readings;

export interface Mutant {
  readonly title: string;
  /** Section and statement of the interface that the mutant breaks. */
  readonly breaks: string;
  /** Ids of the checks that should find it: any of them will do. What another finds broke beside it, and does not count. */
  readonly foundBy: readonly [string, ...string[]];
  /** Absent: the words of the interface suffice. */
  readonly reading?: Reading;
  /** A legal change without which a client could not see the mutant, such as a larger collection. */
  readonly needs?: Change;
  readonly change: Change;
}

/** What some mutants have in common, then each of them as `'id: title': change`, or `'id': change` where the id says it all. */
export function breaking(
  breaks: string,
  foundBy: Mutant['foundBy'],
  rest: Pick<Mutant, 'reading' | 'needs'> = {},
): { by<const Rows extends Readonly<Record<string, Change>>>(rows: Rows): ById<Rows, Mutant> } {
  return { by: (rows) => readRows(rows, (title, change: Change) => ({ title, breaks, foundBy, ...rest, change })) };
}
