import type { Violation } from '../../contract/schemas/violation.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import type { Exchange, RequestFilter } from '../petstore-world.js';
import { checkFilter } from './check-filter.js';
import { fits } from './requests.js';

const MAX_TOLD = 20;

/** Throws a {@link PetstoreMockError} (`violations`) unless every faulty exchange is allowed. */
export function refuseViolations(
  exchanges: readonly Exchange[],
  { allow, total }: { allow: RequestFilter | readonly RequestFilter[]; total: number },
): void {
  const allowed = [allow].flat().map(checkFilter);
  const broken = exchanges.filter((exchange) => !allowed.some((filter) => fits(exchange, filter)));
  // An exchange that is not kept cannot match the allowed ones.
  const unkept = total - exchanges.length;
  if (broken.length > 0 || unkept > 0) throw new PetstoreMockError('violations', describeViolations(broken, unkept));
}

/** Says which requests violated which line of the contract, and how to fix them. */
function describeViolations(broken: readonly Exchange[], unkept: number): string {
  const count = broken.length + unkept;
  const rest = count - Math.min(broken.length, MAX_TOLD);
  return [
    `${count} ${count === 1 ? 'exchange' : 'exchanges'} broke the contract.`,
    ...broken.slice(0, MAX_TOLD).map((exchange, index) => describeExchange(exchange, index + 1)),
    ...(rest === 0 ? [] : [`and ${rest} more.`]),
  ].join('\n\n');
}

function describeExchange(exchange: Exchange, number: number): string {
  const { method, url, status, operationId, atFault, violations } = exchange;
  const side = atFault === 'mock' ? 'the mock is at fault' : 'the client is at fault';
  const head = `${number}. ${method} ${url} → ${status}${operationId === undefined ? '' : ` (${operationId})`}, ${side}`;
  const findings =
    violations.length > 0 ? violations.flatMap((each) => describeViolation(each, exchange)) : describeReason(exchange);
  return [head, ...findings.map((line) => `   ${line}`)].join('\n');
}

function describeViolation(violation: Violation, exchange: Exchange): string[] {
  const mend = tellMend(exchange, violation) ?? '';
  return [`${violation.message} (${formatPlace(violation.contract)})`, `fix: ${mend}`];
}

/** What to do about a violation, or about a refusal that is none of a schema; `undefined` if that is not known. */
export function tellMend({ atFault, status }: Exchange, violation?: Violation): string | undefined {
  if (atFault === 'mock') return MOCK_MEND;
  return violation === undefined ? STATUS_MENDS[status] : mendOf(violation);
}

const MOCK_MEND = 'check the source of this response: a handler, the fixtures or an example in the contract';

type Mend = (violation: Violation) => string;

const MENDS: Readonly<Record<string, Mend>> = {
  required: ({ at }) => `send ${at}`,
  additionalProperties: ({ at }) => `leave ${at} out`,
  servers: ({ expected }) => `ask for ${expected}`,
};

function mendOf(violation: Violation): string {
  const { rule, at, expected, actual } = violation;
  return MENDS[rule]?.(violation) ?? `make ${at} ${expected}, not ${actual}`;
}

/** Problems that are not violations of a schema. */
function describeReason(exchange: Exchange): string[] {
  const { reason, contract } = exchange;
  const place = contract === undefined ? '' : ` (${formatPlace(contract)})`;
  const mend = tellMend(exchange);
  return [`${reason ?? 'the response says why'}${place}`, ...(mend === undefined ? [] : [`fix: ${mend}`])];
}

const STATUS_MENDS: Readonly<Record<number, string>> = {
  400: 'send what the operation describes there; what cannot be read cannot be validated',
  401: 'send Authorization: Bearer <API_KEY>; if the test omits it on purpose, allow { status: 401 }',
  404: 'use a path of the contract',
  405: 'use a method of this path',
  406: 'accept application/json',
  410: 'use the operation that replaces it',
  413: 'send a shorter body',
  415: 'send the body with Content-Type: application/json',
};
