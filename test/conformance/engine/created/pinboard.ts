// A service of pins, whose habits are those by which a visit could leave something behind or move something for good.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { ConformanceOptions } from '../../../../src/conformance/model/options.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { makeFile } from '../../../support/folder.js';
import { serveLocally } from '../../../support/network/serve-locally.js';
import { content } from '../../../support/open-paths.js';
import { integer, object, text } from '../../resources/support/odd-resource.js';

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

function describe({ key = integer, fields = {}, lacks = [], ...habits }: Habits): string {
  const sent = { name: { ...text, maxLength: 60 }, size: { ...integer, minimum: 1 }, ...fields };
  const pin = object({ id: { ...key, readOnly: habits.isKeyReadOnly === true }, ...sent }, ['id', 'name']);
  const body = object(sent, ['name']);
  const none = { description: '-' };
  const changed = habits.derivesKeys === true ? { 204: none } : { 200: content(pin) };
  const change = { ...changed, 400: none, 404: none };
  const roles = {
    get: { operationId: 'getPin', responses: { 200: content(pin), 404: none } },
    put: { operationId: 'putPin', requestBody: content(body), responses: change },
    patch: { operationId: 'changePin', requestBody: content({ ...body, required: [] }), responses: change },
    delete: { operationId: 'removePin', responses: { 204: none, 404: none } },
  };
  const has = Object.entries(roles).filter(([role]) => !(lacks as readonly string[]).includes(role));
  const list = { operationId: 'listPins', responses: { 200: content({ type: 'array', items: pin }) } };
  const created = content(habits.answersKeyAlone === true ? object({ pinID: key }, []) : pin);
  const post = { operationId: 'addPin', requestBody: content(body), responses: { 201: created, 400: none } };
  const parameters = [{ name: 'pinId', in: 'path', required: true, schema: key }];
  const paths = {
    '/pins': { ...(lacks.includes('list') ? {} : { get: list }), post },
    '/pins/{pinId}': { parameters, ...Object.fromEntries(has) },
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
  const { url, close } = await serveLocally(async (request, response) => {
    const body = parse((await buffer(request)).toString());
    board.log.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, body });
    if (habits.first?.(request, response, board) === true) return;
    const { status, value } = answer(request, body, { board, take, move, habits });
    response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' });
    response.end(value === undefined ? undefined : JSON.stringify(value));
  });
  onTestFinished(close);
  return { url, spec: makeFile('pins.json', describe(habits)), board };
}

type Body = Record<string, unknown> | undefined;

function parse(sent: string): Body {
  try {
    return sent === '' ? undefined : (JSON.parse(sent) as Body);
  } catch {
    return undefined;
  }
}

type Serving = { board: Board; take: () => unknown; move: (key: unknown) => void; habits: Habits };
type Answer = { status: number; value?: unknown };

function answer({ method, url = '/' }: IncomingMessage, body: Body, serving: Serving): Answer {
  const { board, move, habits } = serving;
  const [, kind, key] = new URL(url, 'http://pins').pathname.split('/').map((part) => decodeURIComponent(part));
  if (kind !== 'pins') return { status: 404 };
  if (key === undefined && method === 'GET') return { status: 200, value: board.pins };
  if (key === undefined) return method === 'POST' ? create(body, serving) : { status: 405 };
  const pin = find(board, key);
  if (pin === undefined && method === 'PUT' && habits.putsNew === true && isFine(body)) {
    move(key);
    return { status: 200, value: add(board, body, Number(key)) };
  }
  if (pin === undefined) return { status: 404 };
  if (method === 'GET') return { status: 200, value: pin };
  if (method === 'DELETE') {
    board.pins.splice(board.pins.indexOf(pin), 1);
    return { status: 204 };
  }
  if (body === undefined) return { status: 400 };
  const changed: Pin = method === 'PATCH' ? { ...pin, ...body } : ({ id: pin.id, ...body } as Pin);
  if (!isName(changed.name) || !isSize(changed['size'])) return { status: 400 };
  const { id } = habits.takesKeys === true ? changed : pin;
  board.pins[board.pins.indexOf(pin)] = { ...changed, id: keyOf(changed, habits) ?? id };
  return habits.derivesKeys === true ? { status: 204 } : { status: 200, value: { ...changed, id } };
}

function create(body: Body, { board, take, move, habits }: Serving): Answer {
  if (!isFine(body)) {
    if (habits.keepsRefused === true && typeof body?.['name'] === 'string') add(board, body, take());
    return { status: 400 };
  }
  const own = habits.takesKeys === true ? body['id'] : undefined;
  const known = own ?? keyOf(body, habits);
  if (known !== undefined && find(board, known) !== undefined) return { status: 400 };
  if (own !== undefined) move(own);
  const pin = add(board, body, known ?? take());
  if (habits.answersKeyAlone === true) return { status: 201, value: { pinID: pin.id } };
  return { status: 201, value: habits.answers?.(pin, board.pins) ?? pin };
}

function add({ pins }: Board, fields: object, id: unknown): Pin {
  const pin = { ...fields, id } as Pin;
  pins.push(pin);
  return pin;
}

const find = ({ pins }: Board, id: unknown): Pin | undefined => pins.find((pin) => String(pin.id) === String(id));
const keyOf = ({ name }: { name?: unknown }, { derivesKeys }: Habits): unknown =>
  derivesKeys === true ? `${String(name)}.` : undefined;
const isName = (name: unknown): boolean => typeof name === 'string' && Array.from(name).length <= 60;
const isSize = (size: unknown): boolean => size === undefined || (Number.isInteger(size) && Number(size) >= 1);
const isFine = (body: Body): body is Record<string, unknown> =>
  isName(body?.['name']) && isSize(body?.['size']) && Object.values(body ?? {}).every((each) => each !== null);

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
