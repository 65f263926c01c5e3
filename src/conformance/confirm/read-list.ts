import type { RecordEntry, Visited } from '../ledger/observations.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import { readListed } from '../ledger/shown-records.js';
import { readPage, turnPage } from '../judge/page-end.js';
import type { AskedPage } from '../model/page-walk.js';
import type { Answered, WireRequest } from '../model/wire.js';
import { bindPages } from '../resources/paging.js';
import { readBody } from '../http/read-response.js';
import { prepareRole, type Asking } from './ask-role.js';

/** So many pages of a list are read: one that others have filled may be as long as it likes. */
const MOST_PAGES = 10;

/** A record that a list shows. */
export interface ListedEntry {
  entry: RecordEntry;
  record: object;
}

export interface ReadList {
  listed: ListedEntry[];
  /** Whether it was read to its end. */
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
    const shown = {
      status: answer.status,
      headers: answer.headers,
      body: body.kind === 'json' ? body.value : undefined,
    };
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
