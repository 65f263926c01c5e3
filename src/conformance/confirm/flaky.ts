// What equal requests showed now and then is asked for again at the end of a run, where a response may just have been late.
import { groupBy } from '../../contract/document/plain.js';
import type { Look } from '../ledger/observations.js';
import { isWithin, judgeLooks, SEVERAL, type Unsteady } from '../ledger/looks.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import { pause } from '../wire/http/send-politely.js';
import type { Confirming } from './budget.js';
import type { Patience } from './wait.js';

type Watching = Pick<Confirming, 'ledger' | 'send' | 'signal'> & { patience: Patience };

/** How many more looks decide whether a record is late or there now and then; as many again, if one of them alone lacks it. */
const MORE_LOOKS = 24;

/** How many records are looked at in turn. */
const MOST_RECORDS = 8;

/** How often is asked for what the last look lacked, since only what is seen again is not gone for good. */
const LAST_LOOKS = 4;

/** As many wrong looks no hiccup explains: a replica that starts anew. */
export const ENOUGH = 2;

/**
 * Asks again where something was there and then was not, but may still have been late: nothing else costs a request. By
 * then all that the run created is older than the time that the target needs.
 */
export async function lookOnceMore(run: Watching): Promise<Unsteady[]> {
  const settledMs = run.patience.mayNeedMs();
  await lookForLost(run);
  const doubtful = judgeLooks(run.ledger, settledMs).map(({ operationId }) => operationId);
  for (const operationId of new Set([...doubtful, ...listEmptied(run.ledger.looks)])) {
    for (let round = 0; round < 2 && countFirm(operationId, run) < ENOUGH; round++) {
      await lookAtOld(operationId, settledMs, run);
      if (countFirm(operationId, run) === 0) break;
    }
  }
  return judgeLooks(run.ledger, settledMs);
}

/** A page of none, or of what no service has a word for, is empty as asked. */
const OF_NONE = /=(?:0|-\d+)(?:&|$)/;

/** Lists that were full and then empty, though asked for in different ways: with another limit, or other header fields. */
function listEmptied(looks: readonly Look[]): string[] {
  const whole = looks.filter(({ kind, wire }) => kind === 'list' && !OF_NONE.test(wire.target));
  return [...groupBy(whole, ({ of }) => of).values()].flatMap((group) => {
    const emptied = group.find((look) => look.shows.length === 0);
    const isFull = ({ shows, answeredAt }: Look): boolean =>
      shows.length >= SEVERAL && answeredAt <= (emptied?.sentAt ?? 0);
    return emptied !== undefined && group.some(isFull) ? [emptied.operationId] : [];
  });
}

/** Of its own records, those that a look did not find, and none after it found, may be there by the next. */
async function lookForLost(run: Watching): Promise<void> {
  const { looks, touches } = run.ledger;
  const isLost = (look: Look): boolean =>
    typeof look.of !== 'string' &&
    look.shows.length === 0 &&
    look.sentAt > (look.of.createdAt ?? Number.POSITIVE_INFINITY) &&
    !touches.some(({ path }) => isWithin(look.path, path));
  const lost = groupBy(looks.filter(isLost), ({ request }) => request);
  for (const group of [...lost.values()].slice(0, MOST_RECORDS)) {
    const last = group.at(-1) as Look;
    for (let tries = 0; tries < LAST_LOOKS && !isSeenAfter(last, run) && !run.signal.aborted; tries++)
      await run.send(last.wire);
  }
}

function isSeenAfter({ request, answeredAt }: Look, { ledger }: Watching): boolean {
  return ledger.looks.some((each) => each.request === request && each.sentAt >= answeredAt && each.shows.length > 0);
}

function countFirm(operationId: string, run: Watching): number {
  const found = judgeLooks(run.ledger, run.patience.mayNeedMs()).find((each) => each.operationId === operationId);
  return found?.firm.length ?? 0;
}

async function lookAtOld(operationId: string, settledMs: number, run: Watching): Promise<void> {
  const chosen = chooseLooks(operationId, run);
  const shown = chosen.flatMap(({ shows }) => shows);
  const last = shown.reduce(
    (most, { createdAt, shownAt, foundAt }) => Math.max(most, createdAt ?? shownAt ?? foundAt ?? 0),
    0,
  );
  const wait = last + settledMs - performance.now();
  if (wait > 0 && chosen.length > 0) await pause(wait + 1, run.signal);
  for (let index = 0; index < MORE_LOOKS && !run.signal.aborted; index++) {
    const look = chosen[index % chosen.length];
    if (look !== undefined) await run.send(look.wire);
  }
  for (const look of chosen) {
    for (let tries = 0; tries < LAST_LOOKS && isLacking(look, run) && !run.signal.aborted; tries++)
      await run.send(look.wire);
  }
}

/** Whether the last answer to the request of a look showed fewer records. */
function isLacking({ request, shows }: Look, { ledger }: Watching): boolean {
  const last = ledger.looks.findLast((each) => each.request === request);
  return last !== undefined && last.shows.length < shows.length;
}

/** The fullest look by each request, first by those that lacked something. */
function chooseLooks(operationId: string, { ledger, patience }: Watching): Look[] {
  const looks = ledger.looks.filter((each) => each.operationId === operationId);
  const wrong = judgeLooks({ looks, touches: ledger.touches }, patience.mayNeedMs()).flatMap((each) => each.wrong);
  const doubtful = new Set(wrong.map(({ request }) => request));
  const groups = [...groupBy(looks, ({ request }) => request)].toSorted(
    ([one], [other]) => Number(doubtful.has(other)) - Number(doubtful.has(one)),
  );
  const isList = looks[0]?.kind === 'list';
  return groups
    .map(([, group]) => group.reduce((fullest, each) => (each.shows.length >= fullest.shows.length ? each : fullest)))
    .filter((look) => look.shows.length > 0 && !isGone(look, ledger.touches))
    .slice(0, isList ? 1 : MOST_RECORDS);
}

/** Whether the run may have removed a record since; what it did to the whole collection may have changed none. */
function isGone({ kind, path, answeredAt }: Look, touches: RecordLedger['touches']): boolean {
  return kind === 'record' && touches.some((touch) => touch.answeredAt > answeredAt && touch.path.startsWith(path));
}
