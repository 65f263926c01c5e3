import { cutText } from '../../../../contract/document/json.js';
import type { Contract } from '../../../../contract/contract.js';
import type { ProfileAnswer } from '../../../../contract/gaps/profile.js';
import type { SeenExchange } from './seen-exchange.js';
import type { Watched } from './watched.js';

/** The conclusion about one gap. */
export type Conclusion = { answer: ProfileAnswer; evidence: string } | { notObserved: string };

/** Gathers what a run shows about one gap, from any answers. */
export interface Observer {
  /** Called with the answers to scenarios' requests. */
  note?(exchange: SeenExchange): void;
  /** Called with every answer, including those that only asked to wait. */
  hear?(answer: Pick<SeenExchange, 'status' | 'headers'>): void;
  conclude(): Conclusion;
}

/** What observers know besides the answers. */
export interface ObserverContext {
  contract: Contract;
  /** The records that it looks at, where it is of a resource. */
  watched?: Watched;
  /** When the run began, in milliseconds since 1970. */
  now: number;
}

/** What an observer of records says of no records. */
export const NONE_WATCHED: Conclusion = { notObserved: 'there is no such resource' };

export type CreateObserver = (context: ObserverContext) => Observer;

/** So many names are kept, and so much of each: a target may give every record other fields. */
const MOST_NAMES = 1000;
const MOST_OF_NAME = 120;

/** Adds a name that an answer shows to those seen. */
export function noteName(seen: Set<string>, name: string): void {
  if (seen.size < MOST_NAMES) seen.add(cutText(name, MOST_OF_NAME));
}

/** An observation of names: sorted, each once. */
export function concludeList(seen: ReadonlySet<string>, { of, looked }: { of: string; looked: boolean }): Conclusion {
  if (!looked) return { notObserved: `there was no ${of} to look at` };
  return { answer: [...seen].sort(), evidence: describeNames(seen, of) };
}

function describeNames(seen: ReadonlySet<string>, of: string): string {
  if (seen.size === 0) return `none in any ${of}`;
  return `${seen.size < MOST_NAMES ? '' : `the first ${MOST_NAMES} `}seen in ${of}s of this run`;
}
