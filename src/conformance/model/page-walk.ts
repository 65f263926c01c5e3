/** At most this many pages are read of a list that others may have filled. */
export const MOST_PAGES = 40;

/** How a list is read page by page. Members of its answers are named by pointers into the body. */
export interface PageWalk {
  kind: 'offset' | 'page' | 'cursor';
  /** The query parameter that says which page; `undefined` where there is but one. */
  parameter: string | undefined;
  /** What it is for the first page; of a cursor, nothing. */
  first: number;
  /** The records. */
  at: string;
  total?: string | undefined;
  /** The header field with the number of all records, in lower case. */
  totalHeader?: string | undefined;
  cursorAt?: string | undefined;
  linkAt?: string | undefined;
  /** Whether the contract has a `Link` header field in the answer, in which `rel="next"` names the next page (RFC 8288). */
  hasLink?: true;
  /** The property of a record that is the cursor after it: `starting_after`. */
  cursorOf?: string | undefined;
  moreAt?: string | undefined;
  /** How many records a page was asked to have. */
  length?: number;
  atMost: number;
  /** Whether its records are asked for in pages of any length, and not the pages. */
  isForAll?: boolean;
  /** A pattern of the list's path, if the links of its answers are followed as they are. */
  follows?: string;
  /** A reference to the body of the first page: only the page after it is asked for. */
  from?: string;
  /** The statuses with which a page beyond the last may be refused. */
  beyond?: readonly number[];
}

/** A page that is asked for. */
export interface AskedPage {
  /** The value of the parameter; `null` for none. */
  turn: unknown;
  /** The query of the link to it, which takes the place of the step's own. */
  link?: string | undefined;
  /** The records of the pages before it. */
  before: readonly unknown[];
  /** How many of them the page before it had; `undefined` for the first page. */
  lastLength?: number | undefined;
  /** How many records there are, as the pages before it said. */
  totals?: readonly unknown[];
  /** Whether the page before it said that there are more records. */
  isAnnounced?: boolean;
  /** Whether no further one is read, whether or not there are more. */
  isLast: boolean;
  walk: PageWalk;
}
