import { crc32 } from 'node:zlib';
import { parseJsonWithin, printJson, parseJson } from '../../contract/document/json.js';
import type { Change } from '../../mock/persistence/changes.js';
import { CannotKeep } from './pass-in-turns.js';
import type { Contract } from '../../contract/contract.js';
import type { ApiResponse, RequestHeaders } from '../../contract/message.js';
import type { JournalEntry, RecordedExchange } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import { PLACEHOLDER } from '../../redact/redactor.js';
import { isSecretName } from '../../redact/secret-names.js';

/** Changes as JSON behind a checksum of it and of the place where it is stored. Throws a {@link CannotKeep} if that is too long. */
export function sealChanges(changes: readonly Change[], place: string): string {
  return seal(() => printJson(changes), place);
}

/** {@link sealChanges} for changes that are JSON already. */
export function seal(write: () => string, place: string): string {
  return writeWhole(() => {
    const text = write();
    return `${checksum(place + text)} ${text}`;
  });
}

/** The changes that were stored at a place; `undefined` if they were damaged. */
export function unsealChanges(sealed: string, place: string): Change[] | undefined {
  const text = sealed.slice(CHECKSUM_LENGTH + 1);
  return sealed.slice(0, CHECKSUM_LENGTH) === checksum(place + text) ? readChanges(text) : undefined;
}

const MOST_BYTES = 200 * 1024 * 1024;

/** What is to be stored as one text. Throws a {@link CannotKeep} if it is too long. */
export function writeWhole(write: () => string): string {
  const tooMuch = new CannotKeep({ status: 507, message: 'the change is too large to be stored' });
  try {
    const text = write();
    if (Buffer.byteLength(text) > MOST_BYTES) throw tooMuch;
    return text;
  } catch (error) {
    throw error instanceof RangeError ? tooMuch : error;
  }
}

/** Changes as JSON; `undefined` for anything else. */
export function readChanges(text: string): Change[] | undefined {
  const parsed = parseJsonWithin(text, MOST_DEPTH);
  return parsed.ok && Array.isArray(parsed.value) ? (parsed.value as Change[]) : undefined;
}

/** Records are as deep as a body may be, and have all of this around them. */
const MOST_DEPTH = 1000;
const CHECKSUM_LENGTH = 8;

export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_LENGTH, '0');
}

interface Written {
  by: string;
  exchange: RecordedExchange;
  request: Omit<JournalEntry['request'], 'body'> & { body?: string };
  response: Omit<ApiResponse, 'body'> & { text?: string };
}

/** An entry of the journal as text for other processes. It has no keys: what left this process could be read by anyone who reads the engine. */
export function writeEntry({ exchange, request, response }: JournalEntry, by: string, { redact }: World): string {
  const { body, ...asked } = request;
  const { body: answered, ...status } = response;
  const { crash, ...told } = exchange;
  const written: Written = {
    by,
    exchange: { ...told, url: redact(told.url), crash: crash instanceof Error ? redact(crash.message) : undefined },
    request: {
      ...asked,
      path: redact(asked.path),
      query: redact(asked.query),
      headers: hide(asked.headers, redact),
      ...(body === undefined ? {} : { body: redact(Buffer.from(body).toString('latin1')) }),
    },
    response: {
      ...status,
      headers: hide(status.headers, redact) as ApiResponse['headers'],
      ...(answered === undefined ? {} : { text: redact(answered.text) }),
    },
  };
  return printJson(written);
}

/** The entry of another process; `undefined` if it is this one's own. */
export function readEntry(text: string, me: string, contract: Contract): JournalEntry | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return undefined;
  const { by, exchange, request, response } = parsed.value as Written;
  if (by === me) return undefined;
  const { body, ...asked } = request;
  const { text: answered, ...status } = response;
  return {
    exchange,
    operation: contract.operations.find(({ id }) => id === exchange.operationId),
    request: { ...asked, body: body === undefined ? undefined : Buffer.from(body, 'latin1') },
    response: { ...status, body: answered === undefined ? undefined : { value: valueOf(answered), text: answered } },
  };
}

function valueOf(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

function hide(headers: RequestHeaders, redact: (text: string) => string): RequestHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined ? undefined : isSecretName(name) ? PLACEHOLDER : redact(value),
    ]),
  );
}
