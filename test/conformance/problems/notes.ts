import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import { makeFolder } from '../../support/folder.js';

/** A note as the service keeps it, and answers it. */
export type Note = Record<string, unknown>;

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  authorized: boolean;
  body: Note | undefined;
}

/** What a defect makes of an answer that is right. */
export type Defect = (answer: Answer, asked: Asked) => Answer;

const text = { type: 'string' };
export const OPTIONAL = ['body', 'tag', 'mood', 'place', 'author', 'source', 'genre', 'accent', 'label'];
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const failed = { description: 'Refused.', ...json(ref('Fault')) };
const key = { name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } };

/** A contract in which a schema, a header field and a parameter have names of their own. */
export const NOTES = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/notes': {
      get: {
        operationId: 'notesIndex',
        responses: {
          200: {
            description: 'All.',
            headers: { 'X-Total-Count': { $ref: '#/components/headers/Total' } },
            ...json({ type: 'array', items: ref('Note') }),
          },
          401: failed,
        },
      },
      post: {
        operationId: 'notesAdd',
        requestBody: { required: true, ...json(ref('Draft')) },
        responses: { 201: { description: 'Made.', ...json(ref('Note')) }, 400: failed, 401: failed },
      },
    },
    '/notes/{noteId}': {
      get: {
        operationId: 'notesRead',
        parameters: [key],
        responses: { 200: { description: 'One.', ...json(ref('Note')) }, 401: failed, 404: failed },
      },
      delete: {
        operationId: 'notesDrop',
        parameters: [key],
        responses: { 204: { description: 'Gone.' }, 401: failed, 404: failed },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    headers: { Total: { required: true, schema: { type: 'integer' } } },
    schemas: {
      Draft: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 60 },
          ...Object.fromEntries(OPTIONAL.map((name) => [name, text])),
          owner: { type: 'object', required: ['name'], properties: { name: text, desk: { type: 'integer' } } },
        },
      },
      Note: { allOf: [ref('Draft'), { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }] },
      Fault: { type: 'object', required: ['error'], properties: { error: text } },
    },
  },
};

const KEY = 'Notes-Key-5pQ';

/** What a run says of a service that is right but for one defect. */
export async function judgeNotes(defect: Defect = (answer) => answer, only?: string[]): Promise<RunResult> {
  const notes = new Map<number, Note>();
  let last = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', 'http://notes');
    const asked: Asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      authorized: request.headers.authorization === `Bearer ${KEY}`,
      body: readNote(Buffer.concat(chunks).toString()),
    };
    const answer = defect(
      answerTo(asked, notes, () => (last += 1)),
      asked,
    );
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const folder = makeFolder({ 'notes.openapi.json': JSON.stringify(NOTES, undefined, 2) });
  return runConformance({
    target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: KEY,
    spec: `${folder}/notes.openapi.json`,
    settleMs: 0,
    ...(only === undefined ? {} : { only }),
  });
}

function readNote(sent: string): Note | undefined {
  try {
    const value: unknown = JSON.parse(sent);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Note) : undefined;
  } catch {
    return undefined;
  }
}

function answerTo({ method, path, authorized, body }: Asked, notes: Map<number, Note>, next: () => number): Answer {
  const [, id = ''] = /^\/notes\/([^/]+)$/.exec(path) ?? [];
  if (path !== '/notes' && id === '') return refuse(404, 'no such path');
  if (!authorized) return refuse(401, 'no key');
  const found = notes.get(Number(decodeURIComponent(id)));
  if (path === '/notes' && method === 'GET') {
    return { status: 200, headers: { 'x-total-count': String(notes.size) }, body: [...notes.values()] };
  }
  if (path === '/notes' && method === 'POST') {
    if (body === undefined || !isDraft(body)) return refuse(400, 'no draft');
    const note = { ...body, id: next() };
    notes.set(note.id, note);
    return { status: 201, headers: {}, body: note };
  }
  if (found === undefined) return refuse(404, 'no such note');
  if (method === 'DELETE') {
    notes.delete(Number(found['id']));
    return { status: 204, headers: {}, body: undefined };
  }
  return method === 'GET' ? { status: 200, headers: {}, body: found } : refuse(405, 'not here');
}

function refuse(status: number, error: string): Answer {
  return { status, headers: {}, body: { error } };
}

function isDraft({ title, owner, ...rest }: Note): boolean {
  const length = typeof title === 'string' ? title.length : 0;
  return (
    length >= 1 &&
    length <= 60 &&
    isOwner(owner) &&
    OPTIONAL.every((name) => ['string', 'undefined'].includes(typeof rest[name]))
  );
}

function isOwner(owner: unknown): boolean {
  if (owner === undefined) return true;
  if (typeof owner !== 'object' || owner === null || Array.isArray(owner)) return false;
  const { name, desk } = owner as Note;
  return typeof name === 'string' && (desk === undefined || Number.isInteger(desk));
}
