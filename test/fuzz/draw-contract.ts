import type { Draws } from './draws.js';
import { drawKind, objectOf, type Kind } from './draw-schema.js';
import { list, number, object, plain, type Written } from './written.js';
import { words } from '../support/words.js';

/** One operation of a drawn contract, and what valid requests to it have. */
export interface DrawnOperation {
  method: string;
  /** With `{id}` in the place of the key. */
  path: string;
  /** The collection whose records it is about; `undefined` for what keeps no state. */
  collection: string | undefined;
  query: readonly { name: string; make: () => string }[];
  body?: { mediaType: string; kind: Kind };
  /** The documented bodies, by status. */
  answers: Readonly<Record<string, Record<string, unknown> | undefined>>;
}

export interface DrawnContract {
  /** An OpenAPI document. */
  document: Record<string, unknown>;
  operations: readonly DrawnOperation[];
}

const ERROR = {
  type: 'object',
  required: ['message'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
};

const PATCHES = ['application/json', 'application/merge-patch+json', 'application/json-patch+json'] as const;

/** A contract with some collections, and some operations that keep no state. */
export function drawContract(draws: Draws): DrawnContract {
  const operations = [
    ...drawCollection(draws, 'things0', 'application/json-patch+json'),
    ...drawCollection(draws, 'things1', draws.pick(PATCHES)),
    ...draws.times(2, (index) => drawForm(draws, `/forms/${index}`)),
    ...draws.times(2, (index) => drawSearch(draws, `/search/${index}`)),
    // Everything that is JSON, so that length alone decides what a request costs.
    stateless('post', '/anything', { mediaType: 'application/json', kind: { schema: {}, make: () => list([]) } }),
  ];
  return { document: { ...HEAD, paths: pathsOf(operations) }, operations };
}

const HEAD = { openapi: '3.1.0', info: { title: 'Drawn', version: '1' }, servers: [{ url: '/v1' }] };

function drawCollection(draws: Draws, name: string, mediaType: string): DrawnOperation[] {
  const key: Kind = draws.pick<Kind>([
    { schema: { type: 'integer', format: 'int64', readOnly: true }, make: () => number(1) },
    { schema: { type: 'string', format: 'uuid', readOnly: true }, make: () => plain('none') },
  ]);
  const fields = Object.fromEntries(draws.times(5, (index) => [`f${index}`, drawKind(draws, 3)]));
  const record = objectOf(draws, {
    ...fields,
    set: { schema: { type: 'array', uniqueItems: true }, make: () => list([number(draws.below(9))]) },
    rank: { schema: { type: 'integer' }, make: () => number(draws.below(9)) },
  });
  const properties = { id: key.schema, ...(record.schema['properties'] as object) };
  const required = ['id', ...((record.schema['required'] as string[] | undefined) ?? [])];
  const shown = { ...record.schema, properties, required };
  const patch = mediaType === 'application/json-patch+json' ? patchOf(draws, Object.keys(fields)) : partOf(record);
  const item = `/${name}/{id}`;
  const body = { mediaType: 'application/json', kind: record };
  const one = (method: string, path: string, status: number, answer: DrawnOperation['answers'][string], more = {}) => {
    const answers = { [status]: answer, default: ERROR };
    return { collection: name, query: [], method, path, answers, ...more };
  };
  return [
    one('get', `/${name}`, 200, { type: 'array', items: shown }, { query: PAGES }),
    one('post', `/${name}`, 201, shown, { body }),
    one('get', item, 200, shown),
    one('put', item, 200, shown, { body }),
    one('patch', item, 200, shown, { body: { mediaType, kind: patch } }),
    one('delete', item, 204, undefined),
  ];
}

const PAGES = [
  { name: 'limit', make: () => '3' },
  { name: 'offset', make: () => '1' },
  { name: 'rank', make: () => '4' },
];

/** A merge patch has no required properties. */
function partOf({ schema, make }: Kind): Kind {
  const { required: _, ...rest } = schema;
  return { schema: rest, make };
}

function patchOf(draws: Draws, names: readonly string[]): Kind {
  const operation = (): Written => {
    const path = plain(`/${draws.pick(names)}`);
    return object([
      ['op', plain(draws.pick(['add', 'replace', 'remove', 'copy', 'move', 'test']))],
      ['path', path],
      ['from', plain(`/${draws.pick(names)}`)],
      ['value', draws.pick([plain('x'), number('1e400'), number(7), list([]), object([])])],
    ]);
  };
  const schema = { type: 'array', items: { type: 'object', required: ['op', 'path'] } };
  return { schema, make: () => list(draws.times(1 + draws.below(4), operation)) };
}

function stateless(method: string, path: string, body: NonNullable<DrawnOperation['body']>): DrawnOperation {
  return { method, path, collection: undefined, query: [], body, answers: { 200: { type: 'object' }, default: ERROR } };
}

function drawForm(draws: Draws, path: string): DrawnOperation {
  const kind = objectOf(draws, { a: drawKind(draws, 1), b: drawKind(draws, 2), c: drawKind(draws, 0) });
  const mediaType = draws.pick(words`application/x-www-form-urlencoded multipart/form-data text/plain application/xml`);
  return stateless('post', path, { mediaType, kind });
}

/** Parameters in every place and style. */
function drawSearch(draws: Draws, path: string): DrawnOperation {
  const simple = draws.times(3, (index) => ({ name: `q${index}`, kind: drawKind(draws, 0) }));
  const query = [
    ...simple.map(({ name, kind }) => ({ name, make: () => String(textOf(kind.make())) })),
    { name: 'list', make: () => 'a,b' },
    { name: 'deep[a]', make: () => 'x' },
  ];
  const answers = { 200: drawKind(draws, 3).schema, default: ERROR };
  return { method: 'get', path, collection: undefined, query, answers };
}

function textOf(value: Written): string | boolean | null {
  return value.kind === 'number' ? value.digits : value.kind === 'plain' ? value.value : 'x';
}

function pathsOf(operations: readonly DrawnOperation[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method] = describe(operation);
  return paths;
}

function describe({ path, query, body, answers }: DrawnOperation): Record<string, unknown> {
  const content = (schema: unknown, mediaType = 'application/json') => ({ content: { [mediaType]: { schema } } });
  const keys = path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : [];
  const asked = query.map(({ name }) => ({ name, in: 'query', schema: { type: 'string' }, ...PARAMETERS[name] }));
  const requestBody = body && { required: true, ...content(body.kind.schema, body.mediaType) };
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    { description: 'an answer', ...(schema && content(schema)) },
  ]);
  return { parameters: [...keys, ...asked], ...(body && { requestBody }), responses: Object.fromEntries(responses) };
}

const TEXTS = { type: 'array', items: { type: 'string' }, uniqueItems: true };

const PARAMETERS: Readonly<Record<string, object>> = {
  limit: { schema: { type: 'integer', minimum: 1, maximum: 50 } },
  offset: { schema: { type: 'integer', minimum: 0 } },
  rank: { schema: { type: 'integer' } },
  list: { style: 'form', explode: false, schema: TEXTS },
  'deep[a]': { name: 'deep', style: 'deepObject', explode: true, schema: { type: 'object' } },
};
