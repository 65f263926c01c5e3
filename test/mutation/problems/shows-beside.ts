import { mutants, type MutantId } from '../mutants/index.js';
import { recordTranscript } from '../replay/record-transcript.js';
import { makeReplay } from '../replay/requests.js';
import { isArray, isObject, parseJson, printJson, type JsonValue } from '../server/exact-json.js';
import type { Change } from '../server/behaviour.js';
import { startWith } from '../server/start-server.js';

/**
 * Whether a mutant shows among those that are planted, in their order: some answer to the fixed replay differs from what
 * the others alone answer, and from what is right, as far as the contract lets a client read it. If none does, nobody
 * could tell that the mutant is there. What a mutant needs to be seen is legal, so that all three servers have it.
 */
export async function showsAmong(id: MutantId, planted: readonly MutantId[]): Promise<boolean> {
  const needs = planted.flatMap((each) => mutants[each].needs ?? []);
  const others = planted.filter((each) => each !== id);
  const [among, without] = [await readAnswers(planted, needs), await readAnswers(others, needs)];
  const right = await readAnswers([], needs);
  return among.some((answer, index) => answer !== without[index] && answer !== right[index]);
}

async function readAnswers(planted: readonly MutantId[], needs: readonly Change[]): Promise<string[]> {
  const server = await startWith([...needs, ...planted.map((id) => mutants[id].change)]);
  try {
    return (await recordTranscript(server.url, makeReplay(server.apiKey))).map(readAnswer);
  } finally {
    await server.close();
  }
}

/** A line of a transcript without what no client of the contract could read in it. */
export function readAnswer(line: string): string {
  const [, request = '', status = '', headers = '', body = ''] =
    /^([^]*?) -> (\d{3}) (\{.*?\}) ([^]*)$/.exec(line) ?? [];
  // What the contract does not have it gives no headers or body.
  if (!OF_CONTRACT.test(request)) return `${request} -> ${status}`;
  // What is no JSON has no fields that a client could read, however it came to be none.
  if (!status.startsWith('2') && (body === '' || parseUtf8(Buffer.from(body, 'latin1')) !== undefined)) return line;
  const { 'content-length': _, ...fields } = JSON.parse(headers) as Record<string, string>;
  return `${request} -> ${status} ${JSON.stringify(fields)} ${readBody(body, /^GET \/pets[ ?]/.test(request))}`;
}

const OF_CONTRACT = /^(?:GET|POST) \/pets(?:[/? ]|$)/;

function readBody(latin1: string, isList: boolean): string {
  const value = parseUtf8(Buffer.from(latin1, 'latin1'));
  if (value === undefined) return latin1 === '' ? 'nothing' : 'no JSON';
  if (!isList) return readPet(value);
  return isArray(value) ? value.map(readPet).join(', ') : kindOf(value);
}

function parseUtf8(bytes: Buffer): JsonValue | undefined {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

const FIELDS = ['id', 'name', 'categoryId', 'status'] as const;

/** What is no object has no fields; of a pet without an id nobody can say which it is, and so what they should be. */
function readPet(value: JsonValue): string {
  if (!isObject(value)) return kindOf(value);
  const isKnown = value.id !== undefined && value.id !== null;
  return FIELDS.map((field) => (isKnown ? printJson(value[field] ?? 'absent') : kindOf(value[field]))).join(' ');
}

function kindOf(value: JsonValue | undefined): string {
  if (value === null) return 'null';
  return isArray(value) ? 'a list' : typeof value;
}
