import type { Contract } from '../../contract/contract.js';
import type { RecordLedger, RecordEntry, Visited } from '../ledger/record-ledger.js';
import type { WireAnswer, WireRequest, Answered } from '../model/exchange.js';
import type { Send } from '../http/send-politely.js';
import { requiresTag } from '../../contract/operations/operations.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import { bareStep, NOTHING_KNOWN, prepareRequest, type PrepareOptions } from '../http/prepare-request.js';
import { readListed } from '../ledger/shown-records.js';
import { readPage, turnPage } from '../checks/pages.js';
import type { AskedPage } from '../model/records.js';
import { bindPages } from '../resources/paging.js';
import { readBody } from '../http/read-response.js';

/** The outcome of a second look: a defect, nothing at all, or what would tell them apart. */
export type Confirmation = 'defect' | 'fine' | { needs: string };

export interface Confirming extends Asking {
  contract: Contract;
  ledger: RecordLedger;
  looks: LookBudget;
  strict: boolean;
  /** What finished scenarios hand on, by id. */
  outputs: ReadonlyMap<string, Record<string, unknown>>;
  /** Tells the user what is no failure: a sentence without a full stop. */
  note(text: string): void;
}

/** How many requests all second looks of a run may send. */
export const MOST_LOOK_REQUESTS = 250;

/** What a run may spend on second looks, and what they have come to. */
export interface LookBudget {
  send: (request: WireRequest) => Promise<WireAnswer>;
  /** What a look at this would come to, where nothing more is asked; `undefined` if it is worth asking. */
  foresee(question: string): Confirmation | undefined;
  /** What a look has come to: a defect does not change while it is looked at, and one that was cut short says nothing. */
  conclude(question: string, found: Confirmation): Confirmation;
}

/** So many looks at one kind of thing that all came to a defect tell what the others come to. */
const ENOUGH_ALIKE = 6;

const USED_UP = `fewer failures to confirm: a run sends at most ${MOST_LOOK_REQUESTS} requests to confirm failures`;

export function createLookBudget(send: Send): LookBudget {
  let sent = 0;
  const alike = new Map<string, number>();
  const isUsedUp = (): boolean => sent >= MOST_LOOK_REQUESTS;
  return {
    async send(request) {
      const detail = 'the limit of confirming requests is reached';
      if (isUsedUp()) return { kind: 'unanswered', reason: 'interrupted', detail, durationMs: 0 };
      sent += 1;
      return send(request);
    },
    foresee(question) {
      if ((alike.get(question) ?? 0) >= ENOUGH_ALIKE) return 'defect';
      return isUsedUp() ? { needs: USED_UP } : undefined;
    },
    conclude(question, found) {
      if (isUsedUp()) return { needs: USED_UP };
      alike.set(question, found === 'defect' ? (alike.get(question) ?? 0) + 1 : Number.NEGATIVE_INFINITY);
      return found;
    },
  };
}

export type Asking = { send: Send; prepareOptions: PrepareOptions; signal: AbortSignal };

type More = { headers?: Readonly<Record<string, string>>; query?: Readonly<Record<string, unknown>> };

export function askRole(
  role: RoleOperation,
  parameters: Readonly<Record<string, unknown>>,
  { send, prepareOptions }: Asking,
  more: More = {},
): Promise<WireAnswer> {
  return send(prepareRole(role, parameters, prepareOptions, more));
}

function prepareRole(
  { operation }: RoleOperation,
  parameters: Readonly<Record<string, unknown>>,
  prepareOptions: PrepareOptions,
  more: More = {},
): WireRequest {
  const inPath: Record<string, unknown> = {};
  // Operations on one path may have names of their own for its parameters.
  for (const [index, name] of listTemplateNames(operation.path).entries())
    inPath[name] = Object.hasOwn(parameters, name) ? parameters[name] : Object.values(parameters)[index];
  const asked = { operationId: operation.id, parameters: { ...inPath, ...more.query }, headers: more.headers };
  return prepareRequest(bareStep({ id: 'cleanup', ...asked }), NOTHING_KNOWN, prepareOptions).wire;
}

/** The version of a record, where its removal must say which one is meant (RFC 9110 section 13.1.1). */
export async function readTag(
  { subject: { roles }, parameters }: RecordEntry,
  asking: Asking,
): Promise<{ headers?: Record<string, string> }> {
  const { get, remove } = roles;
  if (get === undefined || remove === undefined || !requiresTag(remove.operation)) return {};
  const answer = await askRole(get, parameters, asking);
  const tag = answer.kind === 'answered' ? answer.headers['etag'] : undefined;
  return tag === undefined ? {} : { headers: { 'If-Match': tag } };
}

/** So many pages of a list are read: one that others have filled may be as long as it likes. */
const MOST_PAGES = 10;

export type ListedEntry = { entry: RecordEntry; record: object };

export interface ReadList {
  listed: ListedEntry[];
  isWhole: boolean;
  /** The first page; `undefined` where none came. */
  page: { wire: WireRequest; answer: Answered } | undefined;
}

/** Reads a list, outside any scenario, to its end or for as many pages as a run reads. */
export async function readList(
  { subject, scope }: Visited,
  { send, prepareOptions, signal, ledger }: Asking & { ledger: RecordLedger },
): Promise<ReadList> {
  const read: ReadList = { listed: [], isWhole: false, page: undefined };
  const { list } = subject.roles;
  if (list === undefined) return read;
  const { walk, parameters } = bindPages(subject, { atMost: MOST_PAGES }, prepareOptions.contract);
  let before: readonly unknown[] = [];
  let lastLength: number | undefined;
  let turn: unknown = null;
  for (let number = 1; number <= walk.atMost && turn !== undefined && !signal.aborted; number++) {
    const page: AskedPage = { turn, before, lastLength, isLast: number === walk.atMost, walk };
    const turning = walk.parameter === undefined ? {} : { [walk.parameter]: turn };
    const wire = prepareRole(list, scope, prepareOptions, { query: { ...parameters, ...turning } });
    const answer = await send(wire);
    if (answer.kind === 'unanswered') return read;
    read.page ??= { wire, answer };
    const body = readBody(answer);
    const shown = { ...answer, body: body.kind === 'json' ? body.value : undefined };
    const found = readPage(shown, page, 0);
    if (found === undefined) return read;
    for (const { record, key } of readListed(subject, shown.body)) {
      const path = { ...scope, [subject.resource.key.parameter]: key };
      read.listed.push({ entry: ledger.entryOf(subject, path, key), record });
    }
    read.isWhole = found.isLast;
    turn = turnPage(shown, page);
    before = before.concat(found.records);
    lastLength = found.records.length;
  }
  return read;
}
