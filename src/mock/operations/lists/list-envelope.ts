import { readOnce } from '../../../contract/document/document.js';
import { asObject } from '../../../contract/document/plain.js';
import { jsonBody } from '../../../contract/document/json.js';
import type { JsonBody } from '../../../contract/message.js';
import { resolveAt } from '../../../contract/document/references.js';
import { isNullable, readValueShape, readProperties } from '../../../contract/operations/properties.js';
import type { ListFact } from '../../../contract/resources/bodies.js';
import type { Envelope } from '../../../contract/resources/resource.js';
import type { Call } from '../../world/world.js';
import { readSkeleton, sampleAround } from '../answer-record.js';
import { writeCursor } from './cursor.js';
import { linkTo } from './list-headers.js';
import { listOtherFacts } from './other-facts.js';
import type { Chosen, Page } from './page.js';
import { withMember, type Served } from '../served.js';
import { viewAll } from '../view-record.js';

export function isEnveloped({ role }: Served): boolean {
  return role.success.envelope !== undefined;
}

/** Whether the contract wants a record in each page. */
export const isNeverEmpty = readOnce(({ contract: { document }, role }: Served): boolean => {
  const { schemaPointer = '', envelope } = role.success;
  const at = (envelope?.member ?? []).reduce(
    (pointer, member) => readProperties(document, pointer).find(({ name }) => name === member)?.schemaPointer ?? '',
    schemaPointer,
  );
  return at !== '' && Number(asObject(resolveAt(document, at).value)['minItems'] ?? 0) > 0;
});

type Named = Exclude<keyof Envelope, 'member'> | ListFact;

/** A page in its envelope, with the contract's other members filled in truthfully. */
export function wrapPage(chosen: Chosen, page: Page, call: Call, served: Served): JsonBody {
  const { envelope } = served.role.success;
  const records = viewAll(chosen.records, served);
  const facts = describePage(chosen, page, call, served);
  const plan = readPlan(served);
  const filled = plan.reduce<unknown>((at, member) => {
    const { name, types, isRequired } = member;
    const value = facts[name];
    if (value !== undefined) return placeGuess(at, member, asType(atLeast(value, member), types), served);
    if (member.isNullable) return place(at, member, null);
    return isRequired ? placeGuess(at, member, types.includes('integer') ? 0 : '', served) : at;
  }, readSkeleton(served));
  return jsonBody(withMember(filled, envelope?.member ?? [], records));
}

/** Some contracts count the empty page of an empty list. */
function atLeast(value: unknown, { name, least }: Member): unknown {
  return name === 'pages' && least !== undefined ? Math.max(Number(value), least) : value;
}

/** What only its name explains stays as the contract has it where it cannot say this. */
function placeGuess(at: unknown, member: Member, value: unknown, { contract }: Served): unknown {
  const isWrong =
    member.isGuessed &&
    member.schemaPointer !== undefined &&
    contract.validate.value(member.schemaPointer, value).length > 0;
  return isWrong ? at : place(at, member, value);
}

/** A value at its place, in objects that have what they must have beside it. */
function place(at: unknown, { path, around }: Member, value: unknown): unknown {
  const whole = around.reduce<unknown>(
    (inside, holder) =>
      follow(inside, holder.path) === undefined ? withMember(inside, holder.path, holder.sample) : inside,
    at,
  );
  return withMember(whole, path, value);
}

function follow(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => asObject(at)[name], value);
}

/** The largest page that its envelope can state: the field may have a lower maximum than the parameter. */
export function mostInPage(served: Served): number {
  return isEnveloped(served) ? readMost(served) : Infinity;
}

const readMost = readOnce((served: Served): number => {
  const shown = readPlan(served).find(({ name }) => name === 'limit')?.schemaPointer;
  const most = shown === undefined ? undefined : asObject(resolveAt(served.contract.document, shown).value)['maximum'];
  return typeof most === 'number' && most >= 1 ? Math.floor(most) : Infinity;
});

/** The facts about a page; those that do not exist, such as a cursor after the last page, are `undefined`. */
function describePage(
  { records, total, offset }: Chosen,
  page: Page,
  call: Call,
  served: Served,
): Partial<Record<Named, unknown>> {
  const { paging } = served.role.list ?? {};
  const all = total();
  const end = offset + records.length;
  const hasMore = end < all;
  const [head, last] = [records[0], records.at(-1)].map((each) => each?.record[served.kept.key?.property ?? '']);
  const size = page.limit ?? Math.max(all, 1);
  const first = paging?.kind === 'page' ? paging.first : 1;
  return {
    total: all,
    count: records.length,
    pages: Math.ceil(all / Math.max(size, 1)),
    page: first + Math.floor(offset / Math.max(size, 1)),
    limit: page.limit ?? records.length,
    offset: offset + (paging?.kind === 'offset' ? (paging.first ?? 0) : 0),
    hasMore,
    nextCursor: hasMore ? nameNext(end, last, size, served) : undefined,
    nextLink: hasMore ? linkTo(end, last, page, call, served) : undefined,
    hasPrevious: offset > 0,
    isFirst: offset === 0,
    isLast: !hasMore,
    isEmpty: records.length === 0,
    firstKey: head,
    lastKey: last,
    // No cursor leads back.
    previousLink:
      offset > 0 && paging?.kind !== 'cursor'
        ? linkTo(Math.max(0, offset - size), undefined, page, call, served)
        : undefined,
  };
}

/** What the request for the next page states: its place, its number, or the cursor after the last record of this one. */
function nameNext(end: number, last: unknown, size: number, served: Served): string {
  const { paging } = served.role.list ?? {};
  if (paging?.kind === 'offset') return String(end + (paging.first ?? 0));
  if (paging?.kind === 'page') return String(paging.first + Math.floor(end / size));
  const shown = readPlan(served).find(({ name }) => name === 'nextCursor');
  return writeCursor(last, served, shown?.schemaPointer);
}

/** A member of the envelope in the type that the contract describes. */
interface Member {
  name: Named;
  path: readonly string[];
  schemaPointer?: string;
  /** The objects on the way to it, the outermost first, as they are without it. */
  around: readonly { path: readonly string[]; sample: unknown }[];
  types: readonly string[];
  /** The least number that the contract allows. */
  least?: number;
  isRequired: boolean;
  isNullable: boolean;
  isGuessed: boolean;
}

const readPlan = readOnce(makePlan);

function makePlan(served: Served): Member[] {
  const { envelope, schemaPointer } = served.role.success;
  if (envelope === undefined || schemaPointer === undefined) return [];
  const { member: _records, ...others } = envelope;
  const told = Object.entries(others).map(([name, path]) => describeMember(served, schemaPointer, name as Named, path));
  const guessed = listOtherFacts(served).map(({ name, path }) =>
    Object.assign(describeMember(served, schemaPointer, name, path), { isGuessed: true }),
  );
  return [...told, ...guessed];
}

function describeMember({ contract }: Served, from: string, name: Named, path: readonly string[]): Member {
  const { document } = contract;
  let [at, isRequired] = [from, true];
  const around: { path: readonly string[]; sample: unknown }[] = [];
  for (const [index, step] of path.entries()) {
    const property = readProperties(document, at).find((each) => each.name === step);
    if (property === undefined)
      return { name, path, around: [], types: [], isRequired: false, isNullable: false, isGuessed: false };
    isRequired = property.required;
    at = property.schemaPointer;
    const inside = path.slice(0, index + 1);
    if (inside.length < path.length) around.push({ path: inside, sample: sampleAround(contract, at, []) });
  }
  const { types } = readValueShape(document, at, 0);
  const { minimum } = asObject(resolveAt(document, at).value);
  const least = typeof minimum === 'number' ? { least: minimum } : {};
  const allows = { isNullable: isNullable(document, at), isGuessed: false };
  return { name, path, schemaPointer: at, around, types, ...least, isRequired, ...allows };
}

function asType(value: unknown, types: readonly string[]): unknown {
  if (
    types.includes('string') &&
    !types.includes(typeof value === 'number' ? 'integer' : typeof value) &&
    typeof value === 'number'
  )
    return String(value);
  const isNumeric = (types.includes('integer') || types.includes('number')) && !types.includes('string');
  return isNumeric && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}
