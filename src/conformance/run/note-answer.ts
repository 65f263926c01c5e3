import { keyOfJson } from '../../contract/document/same-json.js';
import type { AnswerBody } from '../judge/check.js';
import type { SentRequest } from '../model/sent-request.js';
import { answersOnePet, asList, isPet, readOnePet } from '../judge/pets.js';
import { isAlike } from '../judge/status.js';
import { remember, rememberId, rememberTexts } from '../judge/target-memory.js';
import { readParameters } from '../../contract/parameters.js';
import type { WireAnswer, WireRequest } from '../model/wire.js';
import { listNamed } from '../wire/request/fill-needed.js';
import { readContractValues } from '../wire/request/contract-values.js';
import type { PreparedRequest } from '../wire/request/prepare-request.js';
import { isCreate, isOfPets } from '../subjects/subject.js';
import { noteGuest } from './guest/guests.js';
import type { Run } from './run.js';

/** An answer with its parsed body. */
interface Reading {
  answer: WireAnswer;
  body: AnswerBody;
  sentAt: number;
}

/**
 * Notes what became of a request at the target, before anything is read of the answer: a reference that it does not resolve ends a
 * scenario, and what was created is there all the same.
 */
export function noteEffect({ sent }: PreparedRequest, { answer, body, sentAt }: Reading, run: Run): void {
  if (answer.kind === 'unanswered') return;
  const { status, bytes, headers } = answer;
  const value = body.kind === 'json' ? body.value : undefined;
  noteGuest(run.guests, sent, { status, bytes, value, location: headers['location'], sentAt }, run.contract);
}

/** Makes the run remember what an answer shows. */
export function noteAnswer({ sent, wire }: PreparedRequest, { answer, body, sentAt }: Reading, run: Run): void {
  if (answer.kind === 'unanswered') return;
  const value = body.kind === 'json' ? body.value : undefined;
  const { status, headers } = answer;
  run.observe({ sent, status, headers, body: value, sentAt, answeredAt: performance.now() });
  if (isAlike(status, '2XX') && sent.authorized && sent.operation !== undefined)
    run.memory.served.add(sent.operation.id);
  noteLength(sent, { status, value }, run);
  noteCoverage(sent, wire, { status, value }, run);
  const ids = body.kind === 'unreadable' && isAlike(status, '2XX') ? body.ids : [];
  const isCreation = sent.operation?.id === 'createPet';
  const creates = isCreate(sent.operation, run.contract) ? sent.operation?.id : undefined;
  if (isAlike(status, '2XX') && creates !== undefined) run.countCreated(creates, isAllowed(sent));
  const text = Buffer.from(wire.body ?? []).toString('utf8');
  rememberTexts(run.memory, { text, creates }, { body: value, status });
  if (!isOfPets(sent, run.contract)) return;
  const creation = { json: sent.json, isInvalid: sent.violations.length > 0 };
  const shown = answersOnePet(sent.operation?.id) && isAlike(status, '2XX') ? readOnePet(value) : value;
  for (const id of ids) rememberId(run.memory, id);
  remember(run.memory, { body: shown, status, ...(isCreation ? { creation } : {}) });
  if (isAlike(status, '2XX') && sent.query['status'] === undefined) noteStatuses(shown, run);
}

/** What a filtered list shows as its pets' status may be what was asked for. */
function noteStatuses(shown: unknown, { memory }: Run): void {
  for (const { id, status } of asList(shown) ?? (isPet(shown) ? [shown] : [])) {
    const key = keyOfJson(id);
    if (memory.seenIds.has(key)) memory.shownStatuses.set(key, status);
  }
}

/** Whether a target that conforms to the contract may create it. */
function isAllowed({ authorized, violations, json }: SentRequest): boolean {
  return authorized && violations.length === 0 && json !== undefined;
}

/** The status of an answer, and its body if that is JSON. */
interface Answer {
  status: number;
  value: unknown;
}

/** How many pets there are, judged by the longest page. */
function noteLength(sent: SentRequest, { status, value }: Answer, run: Run): void {
  if (sent.operation?.id !== 'listPets' || !sent.validParameters || !isAlike(status, '2XX') || !Array.isArray(value))
    return;
  if (sent.query['limit'] !== readContractValues(run.contract).limit.largestPage) return;
  run.memory.listed.set(keyOfJson(sent.query['status']), value.length);
}

function noteCoverage(sent: SentRequest, { headers }: WireRequest, { status, value }: Answer, run: Run): void {
  const { operation, path, query, json, violations } = sent;
  if (operation === undefined) return;
  const { header } = readParameters(operation, { pathValues: {}, query: '', headers: listNamed(operation, headers) });
  const parameters = { path, query, header };
  // A value was not judged if the request was refused for another reason.
  const judged = Array.isArray(value) ? listUntried(value, query, run) : [];
  const untried = isAlike(status, '2XX') ? judged : Object.keys(query);
  run.coverage.add({ operation, status, parameters, body: json, violations, untried });
}

/** A page cannot be too long if there are no more pets, and an empty one cannot be filtered wrongly. */
function listUntried(list: unknown[], { limit, status }: SentRequest['query'], { memory }: Run): string[] {
  const seen = status === undefined ? memory.seenIds.size : 0;
  const most = Math.max(memory.listed.get(keyOfJson(status)) ?? 0, seen, list.length);
  return [...(typeof limit === 'number' && limit >= most ? ['limit'] : []), ...(list.length === 0 ? ['status'] : [])];
}
