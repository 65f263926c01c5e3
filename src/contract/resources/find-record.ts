import type { SchemaView } from './schema-view.js';
import { areRelated, plainName } from './words.js';

/** Something inside a body: the names of the members on the way, and its schema. */
export interface Located {
  member: string[];
  pointer: string;
}

/** Says of a schema whether it is what is looked for: surely, perhaps, or not. */
export type Judge = (pointer: string) => 'same' | 'alike' | undefined;

/** The members under which services put what they answer. */
const WRAPPERS =
  /^(?:data|result|results|item|items|payload|response|body|content|contents|record|records|entity|entities|entries|object|objects|value|values|list|rows|hits|elements|resource|resources|embedded|collection|members|edges)$/;

/** The members that tell of an answer, not of what is in it. */
const ABOUT_THE_ANSWER =
  /^(?:success|status|statuscode|code|message|messages|msg|error|errors|warnings?|meta|metadata|links?|included|jsonapi|requestid|ok|timestamp|version|apiversion|pagination|paging|page|info|etag|kind|schema|context|type|self|took|duration|time|odatacontext|traceid|responsestatus)$/;

/** Where the record stands in a body: bare, or in an envelope of up to two members. */
export function locateRecord(view: SchemaView, body: string, name: string, judge: Judge): Located | undefined {
  const wrapped = listWrapped(view, body, name).filter(({ pointer }) => judge(pointer) !== undefined);
  const bare = judge(body) !== undefined;
  if (bare && (wrapped.length !== 1 || !tellsOnlyOfAnswer(view, body, wrapped[0])))
    return { member: [], pointer: body };
  return wrapped.length === 1 ? wrapped[0] : undefined;
}

/** Every object that could be what the body is about, one member or two below it. */
function listWrapped(view: SchemaView, body: string, name: string): Located[] {
  const first = listMembers(view, { member: [], pointer: body }, name);
  const second = first.flatMap((located) => listMembers(view, located, name));
  return [...first, ...second].filter(({ pointer }) => view.types(pointer).includes('object'));
}

/** The members that carry what an object is about, by their name or because there is no other. */
function listMembers(view: SchemaView, { member, pointer }: Located, name: string): Located[] {
  const all = [...view.properties(pointer).values()];
  const others = all.filter((each) => !ABOUT_THE_ANSWER.test(plainName(each.name)));
  const isAlone = others.length === 1;
  return others
    .filter((each) => isAlone || isWrapper(each.name, name))
    .map((each) => ({ member: [...member, each.name], pointer: each.schemaPointer }));
}

function isWrapper(member: string, name: string): boolean {
  return WRAPPERS.test(plainName(member)) || areRelated(member, name);
}

/** Whether a body has beside a member only what tells of an answer, so that an `id` of it is the answer's. */
function tellsOnlyOfAnswer(view: SchemaView, body: string, located: Located | undefined): boolean {
  const beside = [...view.properties(body).keys()].filter((name) => name !== located?.member[0]);
  return (
    WRAPPERS.test(plainName(located?.member[0] ?? '')) &&
    beside.every((name) => ABOUT_THE_ANSWER.test(plainName(name)) || plainName(name) === 'id')
  );
}

/** Where the records stand in a body that lists them: bare, or in an envelope; the pointer is that of one record. */
export function locateList(view: SchemaView, body: string, name: string, judge: Judge): Located | undefined {
  const bare = view.items(body);
  if (bare !== undefined) return judge(bare) === undefined ? undefined : { member: [], pointer: bare };
  const arrays = listArrays(view, body);
  const same = arrays.filter(({ pointer }) => judge(pointer) === 'same');
  if (same.length === 1) return same[0];
  const fitting = same.length > 1 ? same : arrays.filter(({ pointer }) => judge(pointer) === 'alike');
  const named = fitting.filter(({ member }) => isWrapper(member.at(-1) ?? '', name));
  if (named.length === 1) return named[0];
  return named.length === 0 && fitting.length === 1 && arrays.length === 1 ? fitting[0] : undefined;
}

function listArrays(view: SchemaView, body: string): Located[] {
  const first = [...view.properties(body).values()];
  return first.flatMap(({ name, schemaPointer }) => {
    const items = view.items(schemaPointer);
    if (items !== undefined) return [{ member: [name], pointer: items }];
    // Deeper than this, what is listed belongs to a record.
    return WRAPPERS.test(plainName(name))
      ? [...view.properties(schemaPointer).values()].flatMap((inside) => {
          const below = view.items(inside.schemaPointer);
          return below === undefined ? [] : [{ member: [name, inside.name], pointer: below }];
        })
      : [];
  });
}

/** How much of what one schema describes the other does too, from 0 to 1. */
export function compareProperties(view: SchemaView, one: string, other: string, without?: string): number {
  const names = [...view.properties(one).keys()].filter((name) => name !== without);
  if (names.length === 0) return 0;
  const theirs = view.properties(other);
  return names.filter((name) => theirs.has(name)).length / names.length;
}
