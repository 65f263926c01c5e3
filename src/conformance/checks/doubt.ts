/**
 * A finding that a choice of a gap may explain: a pet whose status moves by
 * itself, a list that is cut short.
 */
export type Doubt =
  | { kind: 'status'; id: unknown; /** The status it had before. */ expected: unknown }
  | { kind: 'absent'; id: unknown; /** What the list was filtered by. */ status: unknown }
  /** A pet exists that the whole list does not show. */
  | { kind: 'surplus'; id: unknown }
  /** A page is shorter than its limit, and lacks these pets of a longer list, the first of them `id`. */
  | { kind: 'short'; id: unknown; absent: readonly unknown[]; status: unknown };
