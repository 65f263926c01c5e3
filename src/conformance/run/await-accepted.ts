// A 202 says that a request was accepted, not that it was carried out (RFC 9110 section 15.3.3): a run waits until it was.
import type { Need } from '../judge/check.js';
import type { SentRequest } from '../model/sent-request.js';
import { isOfAbsence, type WireAnswer } from '../model/wire.js';
import { readPathKey } from '../model/path-key.js';
import { splitTarget } from '../wire/request/prepare-request.js';
import { pause } from '../wire/http/send-politely.js';
import type { ResponseRecord } from '../wire/request/template.js';
import { askRole } from '../confirm/ask-role.js';
import { readList } from '../confirm/read-list.js';
import type { RecordEntry } from '../ledger/observations.js';
import { readCreatedKey } from '../ledger/record-ledger.js';
import { findRoles, withoutKey } from '../ledger/shown-records.js';
import type { Run } from './run.js';

const ACCEPTED = 202;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 400;

/** A record that is on its way, and whether it comes or goes. */
interface OnItsWay {
  entry: RecordEntry;
  isToBeThere: boolean;
}

/**
 * Waits until a record whose creation or removal was accepted is there, or gone, so that what builds on it sees it so. Returns
 * what is needed if that took longer than a run waits: an accepted request may be carried out at any time, or never.
 *
 * @example POST -> 202 { id: 7 }; GET /things/7 -> 404, 404, 200: the scenario goes on after the third.
 */
export async function awaitAccepted(
  sent: SentRequest,
  answer: WireAnswer,
  response: ResponseRecord,
  run: Run,
): Promise<Need[]> {
  if (answer.kind !== 'answered' || answer.status !== ACCEPTED || sent.violations.length > 0) return [];
  const record = findOnItsWay(sent, response, run);
  if (record === undefined) return [];
  const since = performance.now();
  let pauseMs = FIRST_PAUSE_MS;
  for (let round = 1, isLast = false; ; round++) {
    if (await isDone(record, run)) {
      if (round > 1) run.patience.settled(performance.now() - since);
      return [];
    }
    if (isLast || run.signal.aborted) return [{ needs: describeLate(record, sent, performance.now() - since) }];
    isLast = !run.patience.allows(since, pauseMs);
    await pause(isLast ? Math.max(0, since + run.patience.mayNeedMs() - performance.now()) : pauseMs, run.signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/**
 * An answer without a Location that leads elsewhere than to the record: a 202 may name where to ask how far it is.
 *
 * @example POST /things -> 202, Location: /jobs/7: there is no thing 7.
 */
export function withoutMonitor(answer: WireAnswer, sent: SentRequest, { contract, prepareOptions }: Run): WireAnswer {
  if (answer.kind !== 'answered' || answer.status !== ACCEPTED || answer.headers['location'] === undefined)
    return answer;
  const { location, ...headers } = answer.headers;
  const path = location.replace(/[?#].*$/s, '').replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '');
  const { rest } = splitTarget({ method: 'GET', target: path }, prepareOptions);
  const match = contract.match('GET', path.startsWith(prepareOptions.basePath) ? rest : path);
  const roles = findRoles(sent, contract);
  const isOfRecord =
    match.kind === 'operation'
      ? roles.some(({ subject }) => subject.roles.get?.operation.id === match.operation.id)
      : path.replace(/\/[^/]*\/?$/, '') === sent.target?.replace(/[?].*$/s, '');
  // A relative address has nothing but the key.
  return isOfRecord || !path.includes('/') ? answer : { ...answer, headers };
}

function findOnItsWay(
  sent: SentRequest,
  { body, headers }: ResponseRecord,
  { contract, ledger }: Run,
): OnItsWay | undefined {
  for (const { subject, role } of findRoles(sent, contract)) {
    const asked = role === 'remove' ? readPathKey(Object.values(sent.path).at(-1)) : undefined;
    if (asked !== undefined) return { entry: ledger.entryOf(subject, sent.path, asked), isToBeThere: false };
    if (role !== 'create') continue;
    const key = readCreatedKey(subject, { ...sent, json: undefined }, { value: body, location: headers['location'] });
    if (key === undefined) return undefined;
    const path = { ...withoutKey(sent.path, subject), [subject.resource.key.parameter]: key };
    return { entry: ledger.entryOf(subject, path, key), isToBeThere: true };
  }
  return undefined;
}

/** Of what can be neither fetched nor listed, nobody can tell. */
async function isDone({ entry, isToBeThere }: OnItsWay, run: Run): Promise<boolean> {
  const { subject, parameters } = entry;
  const { get, list } = subject.roles;
  if (get !== undefined) {
    const answer = await askRole(get, parameters, run);
    return answer.kind === 'unanswered' || isOfAbsence(answer.status) !== isToBeThere;
  }
  if (list === undefined) return true;
  const { listed } = await readList({ subject, scope: withoutKey(parameters, subject) }, run);
  return listed.some((each) => each.entry === entry) === isToBeThere;
}

function describeLate({ isToBeThere }: OnItsWay, { operation }: SentRequest, ms: number): string {
  const what = isToBeThere ? 'a record that is there' : 'a record that is gone';
  return `${what} ${(ms / 1000).toFixed(1)} s after ${operation?.id ?? 'the request'} was answered with 202; --settle waits longer`;
}
