// A service of pins, whose habits are those by which a visit could leave something behind or move something for good.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { ConformanceOptions } from '../../../../src/conformance/model/options.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { serveLocally } from '../../../support/network/serve-locally.js';

export type Pin = { id: unknown; name: unknown; [field: string]: unknown };

export interface Habits {
  /** The key of the next pin. Default: counted up, as by SQLite's AUTOINCREMENT. */
  nextKey?: (count: number) => unknown;
  /** Whether a key that a client sends is taken, and the count goes on from it. */
  takesKeys?: boolean;
  /** Whether a PUT creates at any key, and the count goes on from it. */
  putsNew?: boolean;
  /** Of the record in the contract. */
  key?: object;
  /** Further fields of the record in the contract. */
  fields?: Record<string, object>;
  /** The roles that the contract does not have. */
  lacks?: readonly ('get' | 'put' | 'patch' | 'delete' | 'list')[];
  /** Whether the contract has the key as what only the service sets. */
  isKeyReadOnly?: boolean;
  /** Whether a new pin that is refused is kept all the same. */
  keepsRefused?: boolean;
  /** Whether a pin's key is made of its name, and changes with it. */
  derivesKeys?: boolean;
  /** Whether a create answers the key alone, called as in paths: `{"pinID": 4}`. */
  answersKeyAlone?: boolean;
  /** What of a new pin is answered. Default: all of it. */
  answers?: (pin: Pin, pins: readonly Pin[]) => unknown;
  /** Called before every request; an answer of its own ends it. */
  first?: (request: IncomingMessage, response: ServerResponse, board: Board) => boolean;
}

export interface Board {
  pins: Pin[];
  /** Every request, as `POST /pins`, with what it sent. */
  log: { line: string; body: unknown }[];
  /** What the owner's next pin gets as its key. */
  peek: () => unknown;
}

type Schema = Record<string, unknown>;

function describe({
  key = { type: 'integer' },
  fields = {},
  lacks = [],
  isKeyReadOnly = false,
  derivesKeys = false,
  answersKeyAlone = false,
}: Habits): string {
  const content = (schema: Schema): Schema => ({ description: '-', content: { 'application/json': { schema } } });
  const sent = { name: { type: 'string', maxLength: 60 }, size: { type: 'integer', minimum: 1 }, ...fields };
  const pin = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { ...key, ...(isKeyReadOnly ? { readOnly: true } : {}) }, ...sent },
  };
  const body = { type: 'object', required: ['name'], properties: sent };
  const refused = { description: '-' };
  const changed = derivesKeys ? { 204: refused } : { 200: content(pin) };
  const roles = {
    get: { operationId: 'getPin', responses: { 200: content(pin), 404: refused } },
    put: { operationId: 'putPin', requestBody: content(body), responses: { ...changed, 400: refused, 404: refused } },
    patch: {
      operationId: 'changePin',
      requestBody: content({ ...body, required: [] }),
      responses: { ...changed, 400: refused, 404: refused },
    },
    delete: { operationId: 'removePin', responses: { 204: { description: '-' }, 404: refused } },
  };
  const has = Object.entries(roles).filter(([name]) => !(lacks as readonly string[]).includes(name));
  const list = { operationId: 'listPins', responses: { 200: content({ type: 'array', items: pin }) } };
  const alone = { type: 'object', properties: { pinID: key } };
  const created = content(answersKeyAlone ? alone : pin);
  const create = { requestBody: content(body), responses: { 201: created, 400: refused } };
  const item = { parameters: [{ name: 'pinId', in: 'path', required: true, schema: key }], ...Object.fromEntries(has) };
  const paths = {
    '/pins': { ...(lacks.includes('list') ? {} : { get: list }), post: { operationId: 'addPin', ...create } },
    '/pins/{pinId}': item,
  };
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Pinboard', version: '1' }, paths });
}

/** Three pins are there before. */
export async function startPinboard(habits: Habits = {}): Promise<{ url: string; spec: string; board: Board }> {
  let count = 0;
  const peek = (): unknown => habits.nextKey?.(count) ?? count + 1;
  const take = (): unknown => {
    const key = peek();
    count += 1;
    return key;
  };
  const board: Board = { pins: [], log: [], peek };
  for (const name of ['Milk', 'Bread', 'Butter']) board.pins.push({ id: take(), name });
  const move = (key: unknown): void => void (count = Math.max(count, Number(key)));
  const { url, close } = await serveLocally((request, response) =>
    serve(request, response, { board, take, move, habits }),
  );
  const folder = mkdtempSync(join(tmpdir(), 'pins-'));
  const spec = join(folder, 'pins.json');
  writeFileSync(spec, describe(habits));
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });
  return { url, spec, board };
}

type Serving = { board: Board; take: () => unknown; move: (key: unknown) => void; habits: Habits };

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { board, habits } = serving;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  let body: Record<string, unknown> | undefined;
  try {
    body = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
  } catch {
    body = undefined;
  }
  board.log.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, body });
  if (habits.first?.(request, response, board) === true) return;
  const { status, value } = answer(request, body, serving);
  response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' });
  response.end(value === undefined ? undefined : JSON.stringify(value));
}

function answer(
  { method, url = '/' }: IncomingMessage,
  body: Record<string, unknown> | undefined,
  { board, take, move, habits }: Serving,
): { status: number; value?: unknown } {
  const [, kind, key] = new URL(url, 'http://pins').pathname.split('/').map((part) => decodeURIComponent(part));
  if (kind !== 'pins') return { status: 404 };
  const find = (id: unknown): Pin | undefined => board.pins.find((pin) => String(pin.id) === String(id));
  const isFine =
    typeof body?.['name'] === 'string' &&
    body['name'].length <= 60 &&
    isSize(body['size']) &&
    Object.values(body).every((each) => each !== null);
  const keyOf = ({ name }: { name?: unknown }): unknown =>
    habits.derivesKeys === true ? `${String(name)}.` : undefined;
  const add = (fields: object, id: unknown): Pin => {
    const pin = { ...fields, id } as Pin;
    board.pins.push(pin);
    return pin;
  };
  if (key === undefined && method === 'GET') return { status: 200, value: board.pins };
  if (key === undefined && method === 'POST') {
    if (!isFine) {
      if (habits.keepsRefused === true && typeof body?.['name'] === 'string') add(body, take());
      return { status: 400 };
    }
    const own = habits.takesKeys === true ? body['id'] : undefined;
    const known = own ?? keyOf(body);
    if (known !== undefined && find(known) !== undefined) return { status: 400 };
    if (own !== undefined) move(own);
    const pin = add(body, known ?? take());
    if (habits.answersKeyAlone === true) return { status: 201, value: { pinID: pin.id } };
    return { status: 201, value: habits.answers?.(pin, board.pins) ?? pin };
  }
  const pin = find(key);
  if (key === undefined) return { status: 405 };
  if (pin === undefined && method === 'PUT' && habits.putsNew === true && isFine) {
    move(key);
    return { status: 200, value: add(body, Number(key)) };
  }
  if (pin === undefined) return { status: 404 };
  if (method === 'GET') return { status: 200, value: pin };
  if (method === 'DELETE') {
    board.pins.splice(board.pins.indexOf(pin), 1);
    return { status: 204 };
  }
  if (body === undefined) return { status: 400 };
  const changed: Pin = method === 'PATCH' ? { ...pin, ...body } : ({ id: pin.id, ...body } as Pin);
  if (typeof changed.name !== 'string' || changed.name.length > 60 || !isSize(changed['size'])) return { status: 400 };
  const { id } = habits.takesKeys === true ? changed : pin;
  board.pins[board.pins.indexOf(pin)] = { ...changed, id: keyOf(changed) ?? id };
  return habits.derivesKeys === true ? { status: 204 } : { status: 200, value: { ...changed, id } };
}

function isSize(size: unknown): boolean {
  return size === undefined || (Number.isInteger(size) && Number(size) >= 1);
}

/** Runs every scenario, or some, at a pinboard with these habits. */
export async function visit(
  habits: Habits = {},
  options: Partial<ConformanceOptions> = {},
): Promise<{ result: RunResult; board: Board }> {
  const { url, spec, board } = await startPinboard(habits);
  return { result: await runConformance({ target: url, apiKey: 'none', spec, settleMs: 30, ...options }), board };
}

/** The names on a board that were not there before. */
export const listLeft = ({ pins }: Board): unknown[] =>
  pins.map(({ name }) => name).filter((name) => !['Milk', 'Bread', 'Butter'].includes(String(name)));
