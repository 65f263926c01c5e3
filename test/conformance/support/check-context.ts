import { parseJsonBytes, printJson } from '../../../src/contract/document/json.js';
import { createMemory, type TargetMemory } from '../../../src/conformance/checks/target-memory.js';
import type { AnswerBody, CheckContext, SentRequest } from '../../../src/conformance/checks/check.js';
import type { FailureReason } from '../../../src/conformance/http/wire.js';
import { shippedContract } from '../../support/shipped.js';

export const SECRET = 'Check-Context-Key-1';

export interface Exchanged {
  operation?: 'listPets' | 'createPet' | 'getPet' | undefined;
  method?: string;
  sent?: Partial<SentRequest>;
  status?: number;
  /** Beside `content-type: application/json`; `undefined` leaves one out. */
  headers?: Record<string, string | undefined>;
  /** As JSON. */
  body?: unknown;
  /** As it stands. */
  text?: string;
  /** No answer came. */
  failure?: FailureReason;
  expect?: CheckContext['expect'];
  /** The same as the file has it. Default: taken from earlier answers. */
  stated?: CheckContext['stated'];
  open?: boolean;
  memory?: Partial<TargetMemory>;
  strict?: boolean;
}

/** What a check sees of an exchange: by default, a sound answer to `GET /pets`. */
export function makeContext(exchanged: Exchanged): CheckContext {
  const id = 'operation' in exchanged ? exchanged.operation : 'listPets';
  const operation = shippedContract.operations.find((each) => each.id === id);
  const text = exchanged.text ?? ('body' in exchanged ? printJson(exchanged.body) : '[]');
  const bytes = Buffer.from(text);
  const headers = { 'content-type': 'application/json', ...exchanged.headers };
  return {
    contract: shippedContract,
    sent: {
      method: exchanged.method ?? operation?.method ?? 'GET',
      shownAs: operation?.path ?? '/pets',
      operation,
      authorized: true,
      query: {},
      path: {},
      validParameters: true,
      violations: [],
      bodyLength: 0,
      json: undefined,
      ...exchanged.sent,
    },
    sentAt: 1000,
    answer:
      exchanged.failure === undefined
        ? {
            kind: 'answered',
            status: exchanged.status ?? 200,
            headers: Object.fromEntries(
              Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
            ),
            bytes,
            durationMs: 1,
          }
        : { kind: 'unanswered', reason: exchanged.failure, detail: 'nothing came', durationMs: 1 },
    body: exchanged.failure === undefined ? read(bytes) : { kind: 'none' },
    expect: exchanged.expect ?? {},
    stated: exchanged.stated ?? { equals: '$steps.before.response.body', contains: { pets: '$run.created' } },
    open: exchanged.open ?? false,
    memory: { ...createMemory('CfMar'), ...exchanged.memory },
    secrets: [SECRET],
    strict: exchanged.strict ?? false,
  };
}

function read(bytes: Uint8Array): AnswerBody {
  if (bytes.length === 0) return { kind: 'none' };
  const parsed = parseJsonBytes(bytes);
  return parsed.ok ? { kind: 'json', value: parsed.value } : { kind: 'unreadable', problem: parsed.problem.message };
}
