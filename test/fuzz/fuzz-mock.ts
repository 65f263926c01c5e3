import { isDeepStrictEqual } from 'node:util';
import type { DrawnContract, DrawnOperation } from './draw-contract.js';
import { drawConnection, open } from './draw-connection.js';
import { drawRequest, type DrawnRequest } from './draw-request.js';
import type { Draws } from './draws.js';
import { createJudge, type Received } from './judge.js';
import { ask, measureReading, readMemory, readTicks, type FuzzedProgram } from './target.js';
import { write } from './written.js';

/** One request may take so many times what reading 1 MB takes: none of them is longer than a quarter of that. */
const MOST_WORK = 30;

/** What is broken may be broken everywhere. */
const MOST_FAULTS = 3;

/** What a program may hold beside the memory that it was allowed for what clients send, in MiB. */
const OWN_MEMORY = 500;

export interface Fuzzing {
  contract: DrawnContract;
  requests: number;
  /** The memory that the program was allowed, in MiB. */
  memory: number;
}

/** What a fuzzed program showed. */
export interface FuzzResult {
  /** In words, each with what was sent. */
  faults: string[];
  /** How many answers of each status came: a fuzzer whose requests are all refused tries nothing. */
  statuses: Map<number, number>;
}

/** A record that nothing changes, and what its create answered. */
type Witness = { operation: DrawnOperation; key: string; text: string };

/**
 * Sends drawn requests and connections to a program that serves the drawn contract. It must live, keep its contract in each
 * answer, work in proportion to what was sent, hold no more memory than it was allowed, and lose no record.
 */
export async function fuzzMock(
  program: FuzzedProgram,
  { contract, requests, memory }: Fuzzing,
  draws: Draws,
): Promise<FuzzResult> {
  const result: FuzzResult = { faults: [], statuses: new Map() };
  const judge = createJudge();
  const keys = new Map<string, string[]>();
  const witnesses = await createWitnesses(program, contract);
  const most = (await measureReading(program)) * MOST_WORK;
  const paths = contract.operations.map(({ path }) => `/v1${path.replace('{id}', '1')}`);
  for (let count = 0; count < requests && result.faults.length < MOST_FAULTS; count++) {
    if (draws.chance(0.4)) await open(program.port, drawConnection(paths, draws));
    const request = drawRequest(contract, (name) => keys.get(name ?? '') ?? [], draws);
    const before = readTicks(program.pid);
    const received = await ask(program.port, request);
    const ended = program.ended();
    if (ended !== undefined)
      return { ...result, faults: [...result.faults, tell(request, `the program ended: ${ended}`)] };
    const work = readTicks(program.pid) - before;
    if (work > most) result.faults.push(tell(request, `it takes ${work} ticks, and ${most} would be much`));
    result.faults.push(...judgeAnswer(request, received, judge).map((fault) => tell(request, fault)));
    if (typeof received === 'string') continue;
    result.statuses.set(received.status, (result.statuses.get(received.status) ?? 0) + 1);
    noteKey(keys, request.operation, received);
  }
  for (const witness of witnesses) result.faults.push(...(await findLoss(program, witness)));
  const held = readMemory(program.pid);
  if (held > memory + OWN_MEMORY) result.faults.push(`the program holds ${Math.round(held)} MiB`);
  return result;
}

function judgeAnswer(
  { operation, method, headers, body }: DrawnRequest,
  received: Received | string,
  judge: ReturnType<typeof createJudge>,
): string[] {
  if (typeof received !== 'string') {
    // What a client asks for by name need not be what the operation documents.
    if (headers['prefer'] !== undefined || headers['accept'] !== undefined)
      return received.status === 500 ? ['the status 500'] : [];
    return judge(operation, received);
  }
  // A server may end the connection before it has read all of a body (RFC 9110 section 15.5.14).
  return body !== undefined && body.length > 100_000 && method !== 'GET' ? [] : [`no answer: ${received}`];
}

/** At most so much of a request is shown. */
const SHOWN = 400;

function tell({ method, path, headers, body = '' }: DrawnRequest, fault: string): string {
  const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length})` : text);
  return `${method} ${cut(path)} ${JSON.stringify(headers)} ${cut(body)}: ${fault}`;
}

function noteKey(
  keys: Map<string, string[]>,
  { method, collection }: DrawnOperation,
  { status, text }: Received,
): void {
  if (method !== 'post' || collection === undefined || status !== 201) return;
  const key = readKey(text);
  if (key !== undefined) keys.set(collection, [...(keys.get(collection) ?? []).slice(-20), key]);
}

/** Digits stay as they are written. */
function readKey(text: string): string | undefined {
  const [, words, digits] = /^\{"id":(?:"([^"]+)"|(-?\d+))[,}]/.exec(text) ?? [];
  return words ?? digits;
}

async function createWitnesses({ port }: FuzzedProgram, contract: DrawnContract): Promise<Witness[]> {
  const witnesses: Witness[] = [];
  for (const operation of contract.operations) {
    if (operation.method !== 'post' || operation.collection === undefined || operation.body === undefined) continue;
    const body = write(operation.body.kind.make());
    const received = await ask(port, { ...operation, method: 'POST', headers: JSON_TYPE, body });
    const key = typeof received === 'string' || received.status !== 201 ? undefined : readKey(received.text);
    if (key !== undefined && typeof received !== 'string') witnesses.push({ operation, key, text: received.text });
  }

  return witnesses;
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function findLoss({ port }: FuzzedProgram, { operation, key, text }: Witness): Promise<string[]> {
  const path = `${operation.path}/${encodeURIComponent(key)}`;
  const received = await ask(port, { method: 'GET', path, headers: {} });
  if (typeof received !== 'string' && received.status === 200 && isSame(received.text, text)) return [];
  return [`GET ${path}: ${JSON.stringify(received)} in place of ${text}`];
}

function isSame(one: string, other: string): boolean {
  return one === other || isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}
