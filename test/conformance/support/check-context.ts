import { printJson } from '../../../src/contract/document/json.js';
import type { CheckContext, CheckOutcome } from '../../../src/conformance/checks/check.js';
import { RecordLedger } from '../../../src/conformance/ledger/record-ledger.js';
import { RunTexts } from '../../../src/conformance/ledger/shown-records.js';
import type { SentRequest, FailureReason, WireAnswer } from '../../../src/conformance/model/exchange.js';
import type { Contract } from '../../../src/contract/contract.js';
import { readBody } from '../../../src/conformance/http/read-response.js';
import { shippedContract } from '../../support/shipped.js';

export const SECRET = 'Check-Context-Key-1';

export interface Exchanged {
  operation?: string | undefined;
  /** Default: the shipped one. */
  contract?: Contract;
  method?: string;
  sent?: Partial<SentRequest>;
  status?: number;
  /** Beside `content-type: application/json`; `undefined` leaves one out. */
  headers?: Record<string, string | undefined>;
  /** As JSON. */
  body?: unknown;
  /** As it stands. */
  text?: string;
  /** The connection ended before the body was complete. */
  cutOff?: true;
  /** The status that came without credentials, before those that were given were sent. */
  withoutCredentials?: number;
  /** No answer came. */
  failure?: FailureReason;
  expect?: CheckContext['expect'];
  /** The same as the file has it. Default: taken from earlier answers. */
  stated?: CheckContext['stated'];
  wire?: CheckContext['wire'];
  invented?: CheckContext['invented'];
  open?: boolean;
  /** What stands in the texts that the run makes. Default: `CfMar`. */
  mark?: string;
  /** What the run knows already. */
  knows?: (ledger: RecordLedger) => void;
  strict?: boolean;
}

/** `rule at` of each outcome, or `needs`. */
export const tell = (outcomes: readonly CheckOutcome[]): string[] =>
  outcomes.map((each) => {
    if ('needs' in each) return 'needs';
    return `${each.rule} ${each.at}${each.severity === 'information' ? ' (information)' : ''}`;
  });

/** What a check sees of an exchange: by default, a sound answer to `GET /pets`. */
export function makeContext(exchanged: Exchanged): CheckContext {
  const id = 'operation' in exchanged ? exchanged.operation : 'listPets';
  const { contract = shippedContract } = exchanged;
  const operation = contract.operations.find((each) => each.id === id);
  const answer = makeAnswer(exchanged);
  const ledger = new RecordLedger(contract, new RunTexts(exchanged.mark ?? 'CfMar'));
  exchanged.knows?.(ledger);
  return {
    contract,
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
    ...(exchanged.wire === undefined ? {} : { wire: exchanged.wire }),
    sentAt: 1000,
    answer,
    body: readBody(answer),
    expect: exchanged.expect ?? {},
    stated: exchanged.stated ?? { equals: '$steps.before.response.body' },
    invented: exchanged.invented,
    open: exchanged.open ?? false,
    ledger,
    secrets: [SECRET],
    strict: exchanged.strict ?? false,
  };
}

function makeAnswer(exchanged: Exchanged): WireAnswer {
  const { failure, status = 200, cutOff, withoutCredentials } = exchanged;
  if (failure !== undefined) return { kind: 'unanswered', reason: failure, detail: 'nothing came', durationMs: 1 };
  const text = exchanged.text ?? ('body' in exchanged ? printJson(exchanged.body) : '[]');
  const headers = Object.entries({ 'content-type': 'application/json', ...exchanged.headers });
  return {
    kind: 'answered',
    status,
    headers: Object.fromEntries(headers.filter((entry): entry is [string, string] => entry[1] !== undefined)),
    bytes: Buffer.from(text),
    durationMs: 1,
    ...(withoutCredentials === undefined ? {} : { withoutCredentials }),
    ...(cutOff === undefined ? {} : { cutOff: 'the connection ended' }),
  };
}
