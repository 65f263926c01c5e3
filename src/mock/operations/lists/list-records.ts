import { jsonBody, printJson } from '../../../contract/document/json.js';
import { actOn, type Profile } from '../../../contract/gaps/gaps.js';
import type { ApiResponse, JsonBody } from '../../../contract/message.js';
import { createRefusal } from '../../answer/refusals.js';
import type { Collection, ListOrder, ListQuery } from '../../store/collection.js';
import type { StoredRecord } from '../../store/stored-record.js';
import type { Call } from '../../world/world.js';
import { chooseRecords, findIndexed, sortRecords } from './choose-records.js';
import { readCursor } from './cursor.js';
import { isEnveloped, isNeverEmpty, wrapPage } from './list-envelope.js';
import { describeTotal } from './list-headers.js';
import type { Chosen, Page } from './page.js';
import { readPage } from './read-page.js';
import { letsStatusMove, moveOn } from '../petstore-gaps.js';
import { openFor, type RoleHandler, type Served } from '../served.js';
import { viewAll, viewRecord } from '../view-record.js';

/** The order of a list for each choice of the gap `list-order`. */
export const listOrder: Readonly<Record<string, ListOrder>> = {
  'newest-first': 'newest-first',
  'oldest-first': 'oldest-first',
};

/** Answers with a page of the matching records. */
export const listRecords: RoleHandler = (call, served) => {
  const opened = openFor(call, served);
  if ('refused' in opened) return opened.refused;
  const page = readPage(call, served);
  const asked = chooseFrom(opened.collection, page, call, served);
  const chosen = asked && fillPage(asked, { collection: opened.collection, page, call, served });
  if (chosen === undefined) return createRefusal(400, `query/${nameCursor(served)} is not a cursor of this list`);
  const { success } = served.role;
  const body = isEnveloped(served) ? wrapPage(chosen, page, call, served) : printPage(chosen.records, served);
  if (body === undefined) {
    const message = `these ${chosen.records.length} ${opened.collection.noun} together are longer than a string can be (${LONGEST_TEXT} characters); ask for fewer with limit`;
    return createRefusal(507, message);
  }
  const headers = { 'Content-Type': success.mediaType ?? 'application/json' };
  const more = describeTotal(chosen, page, call, served);
  if (more !== undefined) Object.assign(headers, more);
  return { status: success.status, headers, body } satisfies ApiResponse;
};

function chooseFrom(collection: Collection, page: Page, call: Call, served: Served): Chosen | undefined {
  const { world, profile } = call;
  const order = actOn(profile, 'list-order', listOrder);
  const isMoving = letsStatusMove(profile);
  const limit = shorten(page.limit, profile);
  // An index finds the records with one value; any other filter or order needs a scan.
  const where = isMoving || page.sort.length > 0 || page.after !== undefined ? 'scan' : findIndexed(call, served);
  if (where !== 'scan') {
    const query: ListQuery = { where, limit, offset: page.offset, order };
    return { records: collection.list(query), total: () => collection.count(where), offset: page.offset };
  }
  const listed = collection.list({ order });
  const current = isMoving ? listed.map((stored) => moveOn(stored, world)) : listed;
  const all = sortRecords(chooseRecords(current, call, served), page.sort);
  const offset = page.after === undefined ? page.offset : findPlaceAfter(all, page.after, served);
  if (offset === undefined) return undefined;
  const records = all.slice(offset, limit === undefined ? undefined : offset + limit);
  return { records, total: () => all.length, offset };
}

interface Paging {
  collection: Collection;
  page: Page;
  call: Call;
  served: Served;
}

/** Past the end there is the last page again where no page may be empty. */
function fillPage(asked: Chosen, { collection, page, call, served }: Paging): Chosen | undefined {
  if (asked.records.length > 0 || asked.offset === 0 || page.limit === undefined || !isNeverEmpty(served)) return asked;
  const last = Math.floor(Math.max(0, asked.total() - 1) / page.limit) * page.limit;
  return chooseFrom(collection, { ...page, offset: last, after: undefined }, call, served);
}

function findPlaceAfter(all: readonly StoredRecord[], after: string, served: Served): number | undefined {
  const property = served.kept.key?.property ?? '';
  for (const key of readCursor(after, served)) {
    const place = all.findIndex(({ record }) => String(record[property]) === key);
    if (place >= 0) return place + 1;
  }
  return undefined;
}

function nameCursor({ role }: Served): string {
  const paging = role.list?.paging;
  return paging?.kind === 'cursor' ? paging.cursor : 'cursor';
}

/** The longest text that the oldest supported Node can hold. */
const LONGEST_TEXT = 2 ** 29 - 24;

const IS_SHORTER: Record<string, boolean> = { full: false, shorter: true };

/** A limit is a maximum: a profile may return one record less, but never an empty page instead of one record. */
function shorten(limit: number | undefined, profile: Profile): number | undefined {
  return limit !== undefined && actOn(profile, 'short-pages', IS_SHORTER) ? Math.max(1, limit - 1) : limit;
}

const printed = new WeakMap<readonly StoredRecord[], { body: JsonBody; served: Served }>();

/**
 * A page is printed once: until a record changes, the collection returns the same array for it. `undefined` if the page
 * is too long for any text, which happens if a profile accepts bodies of any length.
 */
function printPage(page: readonly StoredRecord[], served: Served): JsonBody | undefined {
  const known = printed.get(page);
  if (known?.served === served) return known.body;
  if (page.reduce((sum, { text }) => sum + text.length + 1, 1) > LONGEST_TEXT) return undefined;
  const body = printRecords(page, served);
  printed.set(page, { body, served });
  return body;
}

function printRecords(page: readonly StoredRecord[], served: Served): JsonBody {
  if (served.role.success.body === 'map') return jsonBody(viewAll(page, served));
  const value = page.map((stored) => viewRecord(stored, served));
  const texts = page.map((stored, index) => (value[index] === stored.record ? stored.text : printJson(value[index])));
  return { value: Object.freeze(value), text: `[${texts.join(',')}]` };
}
