import type { Run } from '../run.js';
import type { Seen, StepOutcome } from '../run-exchange.js';
import type { Step } from '../../model/scenario.js';
import { isAlike } from '../../checks/status.js';
import { COUNTED } from '../../ledger/run-texts.js';

/** Common limits for names, which are tried first. */
const LIKELY = [
  16, 20, 24, 30, 32, 40, 50, 60, 64, 80, 100, 120, 127, 128, 150, 200, 250, 255, 256, 300, 400, 500, 512, 1000, 1023,
  1024, 1500, 2000, 2048, 4000, 4095, 4096, 5000, 8000, 8191, 8192, 10000, 16383, 16384, 32767, 32768, 65535,
];

/** Tried first, shortest first: a service may accept one but not the next, or truncate it. */
const FIRST = [4000];

/** What is known about a limit: the greatest accepted length, and the smallest refused one. */
export interface LimitBracket {
  taken: number;
  refused: number | undefined;
}

/** The next length to try; `undefined` if the limit is known. */
export function pickLength({ taken, refused }: LimitBracket, longest: number): number | undefined {
  if (refused === undefined)
    return FIRST.find((each) => each > taken && each < longest) ?? (taken < longest ? longest : undefined);
  if (refused - taken <= 1) return undefined;
  // A limit is known when its length is accepted and one more is refused.
  const telling = LIKELY.flatMap((limit) => [limit, limit + 1]).filter((each) => each > taken && each < refused);
  const distinct = [...new Set(telling)];
  return distinct[Math.floor(distinct.length / 2)] ?? Math.floor((taken + refused) / 2);
}

/** Names whose lengths close in on the longest accepted one, guided by the earlier answers. */
export function* searchNames(
  { to, atMost, field }: NonNullable<Step['search']>,
  outcomes: readonly StepOutcome[],
  run: Run,
): Generator {
  for (let tries = 0; tries < atMost; tries++) {
    const name = run.ledger.texts.nextName();
    const bracket = readBracket(outcomes, name.length, field);
    const length = bracket === undefined ? undefined : pickLength(bracket, to);
    if (length === undefined) return;
    yield { length, name: name.padEnd(length, 'x') };
  }
}

/** `undefined` if some answer was neither an acceptance nor a refusal. Before the search, a pet with a usual name was accepted. */
function readBracket(
  outcomes: readonly StepOutcome[],
  shortest: number,
  field: string = 'name',
): LimitBracket | undefined {
  const tried = outcomes.map(({ record }) => ({
    length: String((record.request.body as Record<string, unknown> | undefined)?.[field]).length,
    status: record.response.status,
  }));
  const known = tried.every(({ status }) => isTaken(status) || REFUSALS.includes(status));
  if (!known) return undefined;
  const refused = tried.filter(({ status }) => !isTaken(status)).map(({ length }) => length);
  return {
    taken: Math.max(shortest, ...tried.filter(({ status }) => isTaken(status)).map(({ length }) => length)),
    refused: refused.length === 0 ? undefined : Math.min(...refused),
  };
}

function isTaken(status: number): boolean {
  return isAlike(status, '2XX');
}

/** Statuses by which a service refuses a name that is too long. */
const REFUSALS: readonly number[] = [400, 413, 422];

/** The limit found by a search. */
export function concludeSearch(
  { to, field = 'name' }: NonNullable<Step['search']>,
  outcomes: readonly StepOutcome[],
  run: Run,
): Seen | { needs: string } {
  const bracket = readBracket(outcomes, run.ledger.texts.mark.length + COUNTED, field);
  if (bracket === undefined || outcomes.length === 0)
    return { needs: 'a target that either accepts or rejects each name' };
  const { taken, refused } = bracket;
  if (refused === undefined)
    return { name: 'none', evidence: `a ${field} of ${to} letters was accepted, and no longer one was sent` };
  if (refused - taken > 1)
    return { needs: `more attempts: a ${field} of ${taken} letters was accepted, one of ${refused} rejected` };
  return { name: String(taken), evidence: `a ${field} of ${taken} letters was accepted, one of ${refused} rejected` };
}
