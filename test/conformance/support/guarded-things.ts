// A small service of things, written for these tests alone: whoever wants one decides which request it lets pass.
import type { IncomingHttpHeaders } from 'node:http';
import { makeFile } from '../../support/folder.js';
import { serveJson, type Answer } from '../../support/network/serve-json.js';
import { content, inPath } from '../../support/open-paths.js';
import { object } from '../resources/support/odd-resource.js';
import { closeLater } from './ask.js';

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body as JSON; `undefined` where it is none. */
  json: Record<string, unknown> | null | undefined;
}

export type Said = Answer;

/** What stands before the things: says something, or lets the request pass. */
export type Guard = (call: Call) => Said | undefined;

export interface Things {
  url: string;
  calls: Call[];
  store: Map<number, Record<string, unknown>>;
  count: (method: string, path: string) => number;
}

/** Serves the things behind a guard. */
export async function serveThings(...guards: Guard[]): Promise<Things> {
  const store = new Map<number, Record<string, unknown>>();
  const calls: Call[] = [];
  let last = 0;
  const respond = (call: Call): Said => {
    for (const guard of guards) {
      const said = guard(call);
      if (said !== undefined) return said;
    }
    const [, collection, key, ...rest] = decodeURIComponent(call.path).split('/');
    if (collection !== 'things' || rest.length > 0) return { status: 404, body: { message: 'no such path' } };
    if (key === undefined) return serveAll(call);
    const id = /^\d{1,9}$/.test(key) ? Number(key) : -1;
    const found = store.get(id);
    if (!['GET', 'PUT', 'DELETE'].includes(call.method)) return notAllowed('GET, PUT, DELETE');
    if (call.method === 'PUT' && !isThing(call.json)) return { status: 400, body: { message: 'invalid' } };
    if (found === undefined) return { status: 404, body: { message: 'no such thing' } };
    if (call.method === 'DELETE') store.delete(id);
    if (call.method === 'DELETE') return { status: 204 };
    if (call.method === 'PUT') store.set(id, { ...call.json, id });
    return { status: 200, body: store.get(id) };
  };
  const serveAll = (call: Call): Said => {
    if (call.method === 'GET') return { status: 200, body: [...store.values()] };
    if (call.method !== 'POST') return notAllowed('GET, POST');
    if (!isThing(call.json)) return { status: 400, body: { message: 'invalid' } };
    last += 1;
    store.set(last, { ...call.json, id: last });
    return { status: 201, body: store.get(last) };
  };
  const url = await serve((call) => {
    calls.push(call);
    return respond(call);
  });
  const count = (method: string, path: string): number =>
    calls.filter((call) => call.method === method && call.path === path).length;
  return { url, calls, store, count };
}

/** Any responses, on a port of its own. */
export async function serve(respond: (call: Call) => Said | Promise<Said>): Promise<string> {
  const { url, close } = await serveJson(async ({ bytes, body: json, ...asked }) => {
    const { body, ...said } = await respond({ ...asked, text: bytes.toString('utf8'), json: json as Call['json'] });
    if (body === undefined || body === '') return said;
    return { ...said, body: typeof body === 'string' ? Buffer.from(body) : body };
  });
  closeLater(close);
  return url;
}

function notAllowed(allow: string): Said {
  return { status: 405, body: { message: 'no such method' }, headers: { allow } };
}

function isThing(json: Call['json']): boolean {
  if (json === undefined || json === null || typeof json !== 'object' || Array.isArray(json)) return false;
  const { name, size } = json;
  const isName = typeof name === 'string' && name.length > 0 && Array.from(name).length <= 60;
  const isSize = size === undefined || (Number.isInteger(size) && (size as number) >= 0 && (size as number) <= 1000);
  return isName && isSize;
}

/** What rejects a request whose credentials are not good. */
export function reject(challenge = 'Bearer'): Said {
  return { status: 401, body: { message: 'not let in' }, headers: { 'www-authenticate': challenge } };
}

/** A guard that wants this bearer token. */
export function wantBearer(isGood: (token: string) => boolean): Guard {
  return ({ headers }) => {
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    return isGood(token) ? undefined : reject();
  };
}

type Json = Record<string, unknown>;

export const BEARER = { bearer: { type: 'http', scheme: 'bearer' } };

/** The document of the things: `schemes` are its security schemes, each of which is asked for, unless `security` says otherwise. */
export function describeThings({
  schemes = BEARER,
  security = [Object.fromEntries(Object.keys(schemes).map((name) => [name, []]))],
  paths = {},
  ...more
}: { schemes?: Json; security?: unknown[]; paths?: Json } & Json = {}): string {
  const hasSchemes = Object.keys(schemes).length > 0;
  const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
  const [thing, error] = [content(ref('Thing')), content(ref('Error'))];
  const requestBody = { required: true, ...content(ref('NewThing')) };
  const parameters = [inPath('id')];
  const fields = {
    name: { type: 'string', minLength: 1, maxLength: 60 },
    size: { type: 'integer', minimum: 0, maximum: 1000 },
  };
  const item = { 200: thing, 401: error, 404: error };
  const all = content({ type: 'array', items: ref('Thing') });
  const gone = { description: 'Gone.' };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    ...(hasSchemes && { security }),
    paths: {
      '/things': {
        get: { operationId: 'listThings', responses: { 200: all, 401: error } },
        post: { operationId: 'createThing', requestBody, responses: { 201: thing, 400: error, 401: error } },
      },
      '/things/{id}': {
        get: { operationId: 'getThing', parameters, responses: item },
        put: { operationId: 'replaceThing', parameters, requestBody, responses: { ...item, 400: error } },
        delete: { operationId: 'removeThing', parameters, responses: { 204: gone, 401: error, 404: error } },
      },
      ...paths,
    },
    components: {
      schemas: {
        Error: object({ message: { type: 'string' } }),
        NewThing: object(fields, ['name']),
        Thing: object({ id: { type: 'integer' }, ...fields }, ['id', 'name']),
      },
      ...(hasSchemes && { securitySchemes: schemes }),
    },
    ...more,
  };
  return makeFile('things.json', JSON.stringify(document));
}
