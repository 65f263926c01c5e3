import { cutText } from '../../../contract/document/cut-text.js';
import type { Contract } from '../../../contract/contract.js';
import type { ProfileAnswer } from '../../../contract/gaps/profile.js';
import type { SentRequest } from '../../checks/check.js';

/** An answer as observers see it: every answer of a run, including those to repeated requests. */
export interface SeenExchange {
  sent: SentRequest;
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The body, when it is JSON. */
  body: unknown;
  /** On the clock of `performance.now()`. */
  sentAt: number;
  answeredAt: number;
}

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
  /** When the run began, in milliseconds since 1970. */
  now: number;
}

export type CreateObserver = (context: ObserverContext) => Observer;

/** Whether the request succeeded; the checks judge which success it should have been. */
export function isDone({ status }: Pick<SeenExchange, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Whether the answer is a page of a list that was requested according to the contract. */
export function isList({ sent, status, body }: SeenExchange): boolean {
  return sent.operation?.id === 'listPets' && sent.authorized && isDone({ status }) && Array.isArray(body);
}

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
