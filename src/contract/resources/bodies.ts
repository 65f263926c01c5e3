import { splitList, asObject, remember } from '../document/plain.js';
import { type Property, readProperties, readValueShape } from '../operations/properties.js';
import type { Correction } from './candidates.js';
import type { Role, Success, Envelope } from './resource.js';
import { areRelated, nameSingular, plainName, stemOf } from './words.js';
import { hasNoContent } from '../schemas/violation.js';
import { FORM, MULTIPART, isJsonMediaType, narrowMediaType } from '../media-types.js';
import type { Content, Operation, ResponseRule } from '../model.js';
import { parsePointer, stepInto, type SourceDocument } from '../document/document.js';
import { COMPOSITIONS, listIn, resolveAt } from '../document/references.js';

export function readSuccess({
  method,
  responses,
}: Operation): (Record<'mediaType' | 'schemaPointer', string | undefined> & { status: number }) | undefined {
  // RFC 9110 section 9.3.4: 201 to a PUT is for what was not there.
  const order = { POST: [201, 200, 202, 204], PUT: [200, 204, 201, 202] }[method] ?? [200, 201, 202, 204];
  const find = (isIt: (status: string) => boolean): ResponseRule | undefined =>
    responses.find((each) => isIt(each.status));
  const exact = order.map((status) => find((each) => each === String(status)));
  const rule =
    exact.find((each) => each !== undefined) ??
    find((status) => /^2(\d\d|XX)$/i.test(status)) ??
    // It describes success only if no other response does (OpenAPI 3.1.1, Responses Object).
    find((status) => status === 'default');
  if (rule === undefined) return undefined;
  const status = /^\d+$/.test(rule.status) ? Number(rule.status) : (order[0] ?? 200);
  const content = findJson(rule.content);
  const sent = hasNoContent(status) ? undefined : (content ?? rule.content[0]);
  return { status, mediaType: sent && narrowMediaType(sent.mediaType), schemaPointer: content?.schemaPointer };
}

export function findRequestContent({ requestBody }: Operation): Content | undefined {
  const described = requestBody?.content.filter(({ schemaPointer }) => schemaPointer !== undefined) ?? [];
  const find = (type: string): Content | undefined => described.find(({ mediaType }) => mediaType === type);
  return findJson(described) ?? find(FORM) ?? find(MULTIPART) ?? described[0];
}

function findJson(content: readonly Content[]): Content | undefined {
  const isRange = ({ mediaType }: Content): boolean => mediaType === '*/*' || mediaType === 'application/*';
  return content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? content.find(isRange);
}

export function describeSuccess(operation: Operation, { view, record }: RoleFinder): Success {
  const answer = readSuccess(operation) ?? { status: 200, mediaType: undefined, schemaPointer: undefined };
  const { mediaType, schemaPointer } = answer;
  const none = { ...answer, envelope: undefined, recordPointer: undefined };
  if (mediaType === undefined || schemaPointer === undefined)
    return { ...none, body: mediaType === undefined ? 'none' : 'other' };
  const { stem, check, members } = record;
  /** The place that the user states, if there is such a record, else the place that is found. */
  const locate = (find: typeof locateRecord, member: readonly string[] | undefined): Located | undefined => {
    const there = member === undefined ? undefined : follow(view, schemaPointer, member);
    const isSaid = there !== undefined && check(there.pointer) !== undefined && view.items(there.pointer) === undefined;
    return isSaid ? there : find(view, schemaPointer, stem, check);
  };
  const one = locate(locateRecord, members.record);
  const list = one === undefined ? locate(locateList, members.list) : undefined;
  const isMap = one === undefined && list === undefined && operation.method === 'GET';
  const map = isMap ? locateMap(view, schemaPointer, stem, check) : undefined;
  const located = one ?? list ?? map;
  if (located === undefined) return { ...none, body: 'other' };
  const envelope = located.member.length === 0 ? undefined : readEnvelope(view, schemaPointer, located.member);
  const body = one === undefined ? (list === undefined ? 'map' : 'list') : 'record';
  return { ...answer, body, envelope, recordPointer: located.pointer };
}

export type Located = { member: string[]; pointer: string };
export type LikenessCheck = (pointer: string) => 'same' | 'alike' | undefined;

export function follow(view: SchemaView, body: string, member: readonly string[]): Located | undefined {
  let end: string | undefined = body;
  for (const name of member) end = end && view.properties(end).get(name)?.schemaPointer;
  return end === undefined ? undefined : { member: [...member], pointer: view.items(end) ?? end };
}

const WRAPPERS =
  /^(?:data|result|results|item|items|payload|response|body|content|contents|record|records|entity|entities|entries|object|objects|value|values|list|rows|hits|elements|resource|resources|embedded|collection|members|edges)$/;

const ABOUT_THE_ANSWER =
  /^(?:success|status|statuscode|code|message|messages|msg|error|errors|warnings?|meta|metadata|links?|included|jsonapi|requestid|ok|timestamp|jsonrpc|version|apiversion|pagination|paging|page|info|etag|kind|schema|context|type|self|took|duration|time|odatacontext|traceid|responsestatus)$/;

export function locateRecord(view: SchemaView, body: string, stem: string, check: LikenessCheck): Located | undefined {
  const verdict = check(body);
  if (verdict === 'same') return { member: [], pointer: body };
  if (view.items(body) !== undefined) return undefined;
  const first = listMembers(view, { member: [], pointer: body }, stem);
  const second = first.flatMap((located) => listMembers(view, located, stem));
  const wrapped = [...first, ...second].filter(({ pointer }) => check(pointer) !== undefined);
  const [only] = wrapped.length === 1 ? wrapped : [];
  if (verdict === undefined) return only;
  // Where all other members describe the answer, an `id` beside them is that of the answer.
  const name = plainName(only?.member[0] ?? '');
  const beside = [...view.plainProperties(body).keys()].filter((plain) => plain !== name);
  const isAround = WRAPPERS.test(name) && beside.every((plain) => ABOUT_THE_ANSWER.test(plain) || plain === 'id');
  return only !== undefined && isAround ? only : { member: [], pointer: body };
}

function listMembers(view: SchemaView, { member, pointer }: Located, stem: string): Located[] {
  const others = [...view.plainProperties(pointer)].filter(([plain]) => !ABOUT_THE_ANSWER.test(plain));
  return others
    .filter(([plain]) => others.length === 1 || isWrapper(plain, stem))
    .filter(([, each]) => view.types(each.schemaPointer).includes('object'))
    .map(([, each]) => ({ member: [...member, each.name], pointer: each.schemaPointer }));
}

const isWrapper = (plain: string, stem: string): boolean => WRAPPERS.test(plain) || areRelated(plain, stem);

export function locateList(view: SchemaView, body: string, stem: string, check: LikenessCheck): Located | undefined {
  const bare = view.items(body);
  if (bare !== undefined) return check(bare) === undefined ? undefined : { member: [], pointer: bare };
  // A deeper list belongs to a record.
  const listArrays = (at: string, path: string[]): Located[] =>
    [...view.properties(at).values()].flatMap(({ name, schemaPointer }) => {
      const pointer = view.items(schemaPointer);
      if (pointer !== undefined) return [{ member: [...path, name], pointer }];
      return path.length === 0 && WRAPPERS.test(plainName(name)) ? listArrays(schemaPointer, [name]) : [];
    });
  const arrays = listArrays(body, []);
  const same = arrays.filter(({ pointer }) => check(pointer) === 'same');
  if (same.length === 1) return same[0];
  const fitting = same.length > 1 ? same : arrays.filter(({ pointer }) => check(pointer) === 'alike');
  const named = fitting.filter(({ member }) => isWrapper(plainName(member.at(-1) ?? ''), stem));
  if (named.length === 1) return named[0];
  return named.length === 0 && fitting.length === 1 && arrays.length === 1 ? fitting[0] : undefined;
}

/** The place of records by their keys in a body: bare, or in an envelope; the pointer is that of one record. */
export function locateMap(view: SchemaView, body: string, stem: string, check: LikenessCheck): Located | undefined {
  const own = { name: '', schemaPointer: body };
  const inside = [...view.properties(body).values()].filter(({ name }) => isWrapper(plainName(name), stem));
  for (const { name, schemaPointer } of [own, ...inside]) {
    const pointer = view.values(schemaPointer);
    if (pointer !== undefined && check(pointer) !== undefined) return { member: name === '' ? [] : [name], pointer };
  }
  return undefined;
}

export function compareProperties(view: SchemaView, one: string, other: string, without = ''): number {
  const names = [...view.plainProperties(one).keys()].filter((name) => name !== plainName(without));
  if (names.length === 0) return 0;
  const theirs = view.plainProperties(other);
  return names.filter((name) => theirs.has(name)).length / names.length;
}

type ListMember = Exclude<keyof Envelope, 'member'>;

const LIST_MEMBERS: readonly (readonly [
  found: ListMember,
  type: 'integer' | 'string' | 'boolean',
  names: readonly string[],
])[] = [
  [
    'total',
    'integer',
    splitList(`total totalcount totalitems totalresults totalelements totalrecords totalsize odatacount totalrows
      recordcount itemcount totalentries`),
  ],
  ['pages', 'integer', splitList('totalpages pagecount pages numpages lastpage pagestotal')],
  [
    'nextCursor',
    'string',
    splitList(`nextcursor nextpagetoken nexttoken cursor nextpagecursor continuationtoken endcursor after nextmarker
      marker`),
  ],
  ['nextLink', 'string', splitList('next nextlink nexturl nextpage nextpageurl nextpageuri odatanextlink nexthref')],
  ['page', 'integer', splitList('page currentpage pagenumber number pageindex pageno current')],
  ['limit', 'integer', splitList('limit perpage pagesize size itemsperpage pagelimit maxresults')],
  ['offset', 'integer', splitList('offset skip startindex start')],
  ['hasMore', 'boolean', splitList('hasmore hasnext hasnextpage more hasmoreitems')],
];

const INSIDE =
  /^(?:meta|metadata|pagination|paging|page|pageinfo|links|cursors?|responsemetadata|listinfo|resultinfo|info)$/;

/** Whether an object beside the records says something of their list, by its name. */
export const isAboutList = (name: string): boolean =>
  INSIDE.test(plainName(name)) || /^(?:pageable|pager|paginator|summary)$/.test(plainName(name));

function readEnvelope(view: SchemaView, body: string, member: string[]): Envelope {
  const step = (path: readonly string[]): string =>
    path.reduce((at, name) => view.properties(at).get(name)?.schemaPointer ?? at, body);
  const around = member.map((_, index) => member.slice(0, index));
  const found = around.flatMap((path) => listFound(view, step(path), path, member));
  const envelope: Envelope = { member };
  // Beside `totalItems`, `itemCount` is the number in the answer.
  const isCount = ([what, path]: (typeof found)[number]): boolean =>
    what === 'total' && /^(?!.*total).*count$/i.test(path.at(-1) ?? '');
  for (const [what, path] of found.toSorted((a, b) => Number(isCount(a)) - Number(isCount(b)))) envelope[what] ??= path;
  // Beside a total, `count` is the number of records in the answer; alone, it is the total.
  const [count] = around.toReversed().flatMap((outer) => {
    const property = view.findProperty(step(outer), 'count');
    const isNumber = property !== undefined && hasType(view.types(property.schemaPointer), 'integer');
    return isNumber ? [[...outer, property.name]] : [];
  });
  return count === undefined ? envelope : { ...envelope, [envelope.total === undefined ? 'total' : 'count']: count };
}

const hasType = (types: readonly string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

function listFound(
  view: SchemaView,
  at: string,
  path: string[],
  records: readonly string[],
  depth = 0,
): (readonly [ListMember, string[]])[] {
  return [...view.properties(at).values()].flatMap(({ name, schemaPointer }) => {
    const here = [...path, name];
    if (here.join('/') === records.join('/')) return [];
    const plain = plainName(name);
    const types = view.types(schemaPointer);
    const known = LIST_MEMBERS.filter(([, type, names]) => names.includes(plain) && hasType(types, type)).map(
      ([found]) => [found, here] as const,
    );
    if (known.length > 0) return known;
    const isInside = depth < 2 && types.includes('object');
    if (isInside && INSIDE.test(plain)) return listFound(view, schemaPointer, here, records, depth + 1);
    const href = isInside && plain === 'next' ? view.findProperty(schemaPointer, 'href') : undefined;
    return href === undefined ? [] : [['nextLink', [...here, href.name]] as const];
  });
}

export type ListFact =
  | 'total'
  | 'count'
  | 'pages'
  | 'hasMore'
  | 'hasPrevious'
  | 'isFirst'
  | 'isLast'
  | 'isEmpty'
  | 'firstKey'
  | 'lastKey'
  | 'previousLink';

export type FactNaming = { types: readonly string[]; records: ReadonlySet<string>; key: string | undefined };

export function splitWords(name: string): string[] {
  const words = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').match(/[\p{L}\d]+/gu) ?? [];
  return words.map((word) => nameSingular(word.toLowerCase()));
}

/** What a member says by its name and type, whatever the records are called; `undefined` if nothing certain. */
export function readFact(name: string, { types, records, key }: FactNaming): ListFact | 'count or total' | undefined {
  const words = splitWords(name);
  const left = words.filter((word) => !records.has(word) && !GENERAL.has(word));
  if (types.includes('boolean')) return TRUTHS.find(([pattern]) => pattern.test(left.join(' ')))?.[1];
  const fact = types.includes('integer') ? readCount(words.length, left) : undefined;
  if (fact !== undefined || !(types.includes('string') || types.includes('integer'))) return fact;
  const keys = new Set(['id', 'key', 'uuid', ...splitWords(key ?? '')]);
  const [end = '', ...others] = left;
  if (others.length > 0 && others.every((word) => keys.has(word))) return KEYS[end];
  const isLink = types.includes('string') && others.every((word) => LINKS.has(word));
  return isLink && (end === 'previous' || end === 'prev') ? 'previousLink' : undefined;
}

const GENERAL: ReadonlySet<string> = new Set(
  'item result element record row entry object hit document doc data resource match list collection set'.split(' '),
);
const ALL: ReadonlySet<string> = new Set('total all overall full grand'.split(' '));
const HERE: ReadonlySet<string> = new Set('returned shown displayed current this on in'.split(' '));
const FILLING: ReadonlySet<string> = new Set([...ALL, ...HERE, ...'count number num of the odata x'.split(' ')]);
const LINKS: ReadonlySet<string> = new Set('page url uri link href'.split(' '));
const KEYS: Readonly<Record<string, ListFact>> = { first: 'firstKey', last: 'lastKey' };

function readCount(length: number, left: readonly string[]): ListFact | 'count or total' | undefined {
  const has = (...words: string[]): boolean => words.some((word) => left.includes(word));
  const isCount = has('count', 'total');
  const isNumber = has('number', 'num') && length > 1;
  if ((!isCount && !isNumber) || has('per')) return undefined;
  const others = left.filter((word) => !FILLING.has(word));
  const isWhole = length === left.length;
  if (others.join() === 'page') {
    const isOfRecords = !isWhole || has('current', 'this');
    if (isOfRecords || has('on', 'in')) return isCount || isOfRecords ? 'count' : undefined;
    return isCount || has('of') ? 'pages' : undefined;
  }
  if (others.length > 0 || (!isCount && isWhole)) return undefined;
  if (has(...HERE)) return 'count';
  return has(...ALL) ? 'total' : 'count or total';
}

const TRUTHS: readonly (readonly [words: RegExp, fact: ListFact])[] = [
  [/^(?:(?:ha|has|is|are) )?(?:there )?(?:more|next)(?: page)?(?: available)?$|^(?:is )?truncated$/, 'hasMore'],
  [/^(?:ha|has) (?:previou|previous|prev)(?: page)?$/, 'hasPrevious'],
  [/^(?:is )?first(?: page)?$/, 'isFirst'],
  [/^(?:is )?last(?: page)?$/, 'isLast'],
  [/^(?:is )?empty$/, 'isEmpty'],
];

interface RecordFacts {
  name: string;
  stem: string;
  schemaPointer: string;
  key: Property;
  members: NonNullable<Correction['members']>;
  check: LikenessCheck;
}

export interface RoleFinder {
  view: SchemaView;
  record: RecordFacts;
  note(operation: Operation, why: string): void;
  roleOf(operation: Operation): Role | false | undefined;
}

export function createFinderOfOne(
  view: SchemaView,
  { name, schemaPointer }: { name: string; schemaPointer: string },
): RoleFinder {
  const own = view.settle(schemaPointer);
  const key = { name: '', required: false, schemaPointer };
  const check: LikenessCheck = (pointer) => (view.settle(pointer) === own ? 'same' : undefined);
  return {
    view,
    record: { name, stem: stemOf(name), schemaPointer, key, members: {}, check },
    note: () => {},
    roleOf: () => undefined,
  };
}

/** Judges whether schemas describe the record: in full, or in a shorter or longer form with the same key. */
export function createLikenessCheck(view: SchemaView, schemaPointer: string, key: Property): LikenessCheck {
  const own = view.settle(schemaPointer);
  const compare = remember((at: string): ReturnType<LikenessCheck> => {
    if (at === own) return 'same';
    // A key that records do not show is no member to look for.
    if (!view.properties(own).has(key.name)) return compareProperties(view, at, own) === 1 ? 'alike' : undefined;
    const theirs = view.properties(at).get(key.name);
    if (theirs === undefined) return undefined;
    const [types, others] = [view.types(theirs.schemaPointer), view.types(key.schemaPointer)];
    const isOpen = types.length === 0 || others.length === 0;
    if (!isOpen && types.includes('string') !== others.includes('string')) return undefined;
    if (!view.isCertain(at, key.name)) return undefined;
    const [there, here] = [compareProperties(view, at, own, key.name), compareProperties(view, own, at, key.name)];
    // A schema with exactly the same properties is a copy.
    if (there === 1 && here === 1) return 'same';
    return Math.max(there, here) >= 0.6 ? 'alike' : undefined;
  });
  return (pointer) => compare(view.settle(pointer));
}

export function isLikeRecord(view: SchemaView, pointer: string, { schemaPointer, key }: RecordFacts): boolean {
  const own = view.settle(schemaPointer);
  return view.settle(pointer) === own || compareProperties(view, pointer, own, key.name) >= 0.5;
}

const SAYS_NOTHING = new Set(['title', 'description', 'type', 'nullable', 'example', 'examples', 'deprecated', 'xml']);

export class SchemaView {
  readonly document: SourceDocument;

  constructor(source: SourceDocument) {
    const at = remember((pointer: string): unknown => {
      const cut = pointer.lastIndexOf('/');
      const [key = ''] = parsePointer(pointer.slice(cut));
      return cut === -1 ? source.at(pointer) : stepInto(at(pointer.slice(0, cut)), key);
    });
    this.document = { ...source, at };
  }

  readonly settle = remember((from: string): string => {
    const visited = new Set<string>();
    for (let at = from; ;) {
      const { value, pointer } = resolveAt(this.document, at);
      const inside = visited.has(pointer) ? undefined : this.#findOnlyPart(asObject(value), pointer);
      if (inside === undefined) return pointer;
      visited.add(pointer);
      at = inside;
    }
  });

  readonly #ofSettled = remember((at: string) => {
    const properties = new Map(readProperties(this.document, at).map((each) => [each.name, each]));
    const plain = new Map([...properties.values()].toReversed().map((each) => [plainName(each.name), each]));
    const types = readValueShape(this.document, at, 0).types.filter((type) => type !== 'null');
    return { properties, plain, types, items: this.#findItems(at) };
  });

  properties(pointer: string): ReadonlyMap<string, Property> {
    return this.#ofSettled(this.settle(pointer)).properties;
  }

  plainProperties(pointer: string): ReadonlyMap<string, Property> {
    return this.#ofSettled(this.settle(pointer)).plain;
  }

  findProperty(pointer: string, name: string): Property | undefined {
    return this.properties(pointer).get(name) ?? this.plainProperties(pointer).get(plainName(name));
  }

  types(pointer: string): readonly string[] {
    return this.#ofSettled(this.settle(pointer)).types;
  }

  items(pointer: string): string | undefined {
    return this.#ofSettled(this.settle(pointer)).items;
  }

  values(pointer: string): string | undefined {
    const isStated = Object.keys(asObject(this.schema(pointer)['additionalProperties'])).length > 0;
    return isStated ? `${this.settle(pointer)}/additionalProperties` : undefined;
  }

  schema(pointer: string): Record<string, unknown> {
    return asObject(this.document.at(this.settle(pointer)));
  }

  isCertain(from: string, name: string): boolean {
    const isIn = (at: string, depth: number): boolean => {
      const { value, pointer } = resolveAt(this.document, at);
      const schema = asObject(value);
      if (Object.hasOwn(asObject(schema['properties']), name)) return true;
      if (depth > MAX_DEPTH) return false;
      const has = (part: string): boolean => isIn(part, depth + 1);
      return (
        listIn(schema, pointer, ['allOf']).some(has) ||
        ['oneOf', 'anyOf'].some((key) => {
          const parts = listIn(schema, pointer, [key]).filter((part) => !this.#isNull(part));
          return parts.length > 0 && parts.every(has);
        })
      );
    };
    return isIn(this.settle(from), 0);
  }

  #isNull(at: string): boolean {
    const { type, enum: choices } = asObject(resolveAt(this.document, at).value);
    return type === 'null' || (Array.isArray(choices) && choices.length === 1 && choices[0] === null);
  }

  #findOnlyPart(schema: Record<string, unknown>, at: string): string | undefined {
    const telling = Object.keys(schema).filter((name) => !SAYS_NOTHING.has(name) && !name.startsWith('x-'));
    const [key = ''] = telling;
    if (telling.length !== 1 || !COMPOSITIONS.includes(key)) return undefined;
    const [only, ...more] = listIn(schema, at, [key]).filter((part) => key === 'allOf' || !this.#isNull(part));
    return more.length === 0 ? only : undefined;
  }

  #findItems(at: string): string | undefined {
    const { value, pointer } = resolveAt(this.document, at);
    const schema = asObject(value);
    if (schema['items'] !== undefined) return Array.isArray(schema['items']) ? undefined : `${pointer}/items`;
    const parts = listIn(schema, pointer, ['allOf']).map((part) => this.#findItems(part));
    return parts.find((part) => part !== undefined);
  }
}

const MAX_DEPTH = 8;
