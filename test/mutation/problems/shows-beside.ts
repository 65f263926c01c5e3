import type { MutantId } from '../mutants/index.js';
import { recordTranscript } from '../replay/record-transcript.js';
import { makeReplay } from '../replay/requests.js';
import { isArray, isObject, parseJson, printJson, type JsonValue } from '../server/exact-json.js';
import { startMutationServer } from '../server/start-server.js';

/**
 * Whether a mutant shows beside others at all: some answer to the fixed replay differs from what the others alone
 * answer, as far as the contract lets a client read it. If none does, nobody could tell that the mutant is there.
 */
export async function showsBeside(id: MutantId, others: readonly MutantId[]): Promise<boolean> {
  const [beside, alone] = [await readAnswers([...others, id]), await readAnswers(others)];
  return beside.some((answer, index) => answer !== alone[index]);
}

async function readAnswers(mutants: readonly MutantId[]): Promise<string[]> {
  const server = await startMutationServer({ mutants });
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
  if (!status.startsWith('2')) return line;
  const { 'content-length': _, ...fields } = JSON.parse(headers) as Record<string, string>;
  return `${request} -> ${status} ${JSON.stringify(fields)} ${readBody(body, /^GET \/pets[ ?]/.test(request))}`;
}

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
