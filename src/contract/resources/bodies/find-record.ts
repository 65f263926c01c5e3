import type { SchemaView } from '../schema-view.js';
import { areRelated, plainName } from '../words.js';

/** A part of a body: the names of the members that lead to it, and its schema. */
export interface Located {
  member: string[];
  pointer: string;
}

/** Judges whether a schema is the wanted one: certainly, perhaps, or not. */
export type Judge = (pointer: string) => 'same' | 'alike' | undefined;

/** The schema at a path of names in a body; for a list, that of its items. */
export function follow(view: SchemaView, body: string, member: readonly string[]): Located | undefined {
  const end = member.reduce<string | undefined>(
    (at, name) => (at === undefined ? undefined : view.properties(at).get(name)?.schemaPointer),
    body,
  );
  return end === undefined ? undefined : { member: [...member], pointer: view.items(end) ?? end };
}

/** The usual names of the member with the content of an answer. */
const WRAPPERS =
  /^(?:data|result|results|item|items|payload|response|body|content|contents|record|records|entity|entities|entries|object|objects|value|values|list|rows|hits|elements|resource|resources|embedded|collection|members|edges)$/;

/** The names of members that describe the answer, not its content. */
const ABOUT_THE_ANSWER =
  /^(?:success|status|statuscode|code|message|messages|msg|error|errors|warnings?|meta|metadata|links?|included|jsonapi|requestid|ok|timestamp|jsonrpc|version|apiversion|pagination|paging|page|info|etag|kind|schema|context|type|self|took|duration|time|odatacontext|traceid|responsestatus)$/;

/** The place of the record in a body: bare, or in an envelope of up to two levels. */
export function locateRecord(view: SchemaView, body: string, stem: string, judge: Judge): Located | undefined {
  const verdict = judge(body);
  if (verdict === 'same') return { member: [], pointer: body };
  if (view.items(body) !== undefined) return undefined;
  const wrapped = listWrapped(view, body, stem).filter(({ pointer }) => judge(pointer) !== undefined);
  const [only] = wrapped.length === 1 ? wrapped : [];
  return verdict !== undefined && (only === undefined || !tellsOnlyOfAnswer(view, body, only))
    ? { member: [], pointer: body }
    : only;
}

/** Every object that could be the content of the body, one or two levels down. */
function listWrapped(view: SchemaView, body: string, stem: string): Located[] {
  const first = listMembers(view, { member: [], pointer: body }, stem);
  const second = first.flatMap((located) => listMembers(view, located, stem));
  return [...first, ...second];
}

/** The members that may wrap the content, by their name or because there is no other. */
function listMembers(view: SchemaView, { member, pointer }: Located, stem: string): Located[] {
  const others = [...view.plainProperties(pointer)].filter(([plain]) => !ABOUT_THE_ANSWER.test(plain));
  const isAlone = others.length === 1;
  return others
    .filter(([plain, each]) => (isAlone || isWrapper(plain, stem)) && view.types(each.schemaPointer).includes('object'))
    .map(([, each]) => ({ member: [...member, each.name], pointer: each.schemaPointer }));
}

function isWrapper(plain: string, stem: string): boolean {
  return WRAPPERS.test(plain) || areRelated(plain, stem);
}

/** Whether all other members of a body describe the answer, so that an `id` is that of the answer. */
function tellsOnlyOfAnswer(view: SchemaView, body: string, { member: [first = ''] }: Located): boolean {
  const name = plainName(first);
  const beside = [...view.plainProperties(body).keys()].filter((plain) => plain !== name);
  return WRAPPERS.test(name) && beside.every((plain) => ABOUT_THE_ANSWER.test(plain) || plain === 'id');
}

/** The place of the records in a list's body: bare, or in an envelope; the pointer is that of one record. */
export function locateList(view: SchemaView, body: string, stem: string, judge: Judge): Located | undefined {
  const bare = view.items(body);
  if (bare !== undefined) return judge(bare) === undefined ? undefined : { member: [], pointer: bare };
  const arrays = listArrays(view, body);
  const same = arrays.filter(({ pointer }) => judge(pointer) === 'same');
  if (same.length === 1) return same[0];
  const fitting = same.length > 1 ? same : arrays.filter(({ pointer }) => judge(pointer) === 'alike');
  const named = fitting.filter(({ member }) => isWrapper(plainName(member.at(-1) ?? ''), stem));
  if (named.length === 1) return named[0];
  return named.length === 0 && fitting.length === 1 && arrays.length === 1 ? fitting[0] : undefined;
}

/** The place of records by their keys in a body: bare, or in an envelope; the pointer is that of one record. */
export function locateMap(view: SchemaView, body: string, stem: string, judge: Judge): Located | undefined {
  const own = { name: '', schemaPointer: body };
  const inside = [...view.properties(body).values()].filter(({ name }) => isWrapper(plainName(name), stem));
  for (const { name, schemaPointer } of [own, ...inside]) {
    const pointer = view.values(schemaPointer);
    if (pointer !== undefined && judge(pointer) !== undefined) return { member: name === '' ? [] : [name], pointer };
  }
  return undefined;
}

function listArrays(view: SchemaView, body: string): Located[] {
  const first = [...view.properties(body).values()];
  return first.flatMap(({ name, schemaPointer }) => {
    const items = view.items(schemaPointer);
    if (items !== undefined) return [{ member: [name], pointer: items }];
    // A deeper list belongs to a record.
    return WRAPPERS.test(plainName(name))
      ? [...view.properties(schemaPointer).values()].flatMap((inside) => {
          const below = view.items(inside.schemaPointer);
          return below === undefined ? [] : [{ member: [name, inside.name], pointer: below }];
        })
      : [];
  });
}

/** The share of one schema's properties that the other has as well, in any style of writing, from 0 to 1. */
export function compareProperties(view: SchemaView, one: string, other: string, without = ''): number {
  const names = [...view.plainProperties(one).keys()].filter((name) => name !== plainName(without));
  if (names.length === 0) return 0;
  const theirs = view.plainProperties(other);
  return names.filter((name) => theirs.has(name)).length / names.length;
}
