import { refuse } from '../session.js';
import { printJson, cutText } from '../../contract/document/json.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { formatPlace } from '../../errors.js';
import { tellMend } from '../../server/handles/requests.js';
import type { Exchange, PetstoreWorld, RecordedMessage, RequestFilter } from '../../server/petstore-world.js';
import { only, quoteTarget, type Arguments, type McpTool, type ToolAnswer } from '../tool.js';
import { worldOf } from './mock.js';

const MOST_SHOWN = 50;
const USUAL = 10;
/** How much is shown of a body, of a URL and of a value. */
const BODY = 1500;
const URL_LENGTH = 200;
const VALUE = 120;
const MOST_WRONG = 5;

/** What was sent to a mock, and who erred. */
export const requestsTool: McpTool = {
  name: 'requests',
  title: 'Requests, and which side broke the contract',
  description:
    'The requests that a mock received: response, which side broke the contract, where, its line, and what to send instead. show gives one whole.',
  properties: {
    mock: { type: 'string' },
    world: { type: 'string' },
    violations: { type: 'boolean', description: 'only those with a side at fault' },
    since: { type: 'integer', description: 'only those after this number, oldest first' },
    operationId: { type: 'string' },
    status: { type: 'integer' },
    limit: { type: 'integer', minimum: 1, maximum: MOST_SHOWN, description: `default ${USUAL}, the latest` },
    show: { type: 'integer', description: 'the number of one' },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async (given, { desk }) => {
    const mock = desk.mocks.get(given['mock']);
    const world = worldOf(mock, given);
    const numbered = await numberAll(world, `${mock.name}/${world.name}`, desk);
    if (given['show'] !== undefined) return showOne(numbered, Number(given['show']));
    return showSome(numbered, given, world);
  },
};

type Numbered = { n: number; exchange: Exchange };

/** The numbers that exchanges have been given, by desk and world: one keeps its number from call to call. */
const numbers = new WeakMap<object, Map<string, { next: number; known: Map<string, number> }>>();

async function numberAll(world: PetstoreWorld, place: string, desk: object): Promise<Numbered[]> {
  const places = numbers.get(desk) ?? new Map<string, { next: number; known: Map<string, number> }>();
  numbers.set(desk, places);
  const before = places.get(place) ?? { next: 1, known: new Map<string, number>() };
  // Faulty ones are kept longer than others.
  const [faulty, latest] = await Promise.all([world.violations(), world.requests.list()]);
  const all = new Map(
    [...faulty, ...latest].map((exchange) => [
      `${exchange.time} ${exchange.duration} ${exchange.method} ${exchange.url}`,
      exchange,
    ]),
  );
  const sorted = [...all].toSorted(([, one], [, other]) => one.time - other.time);
  let { next } = before;
  const numbered = sorted.map(([id, exchange]) => ({ n: before.known.get(id) ?? next++, exchange, id }));
  places.set(place, { next, known: new Map(numbered.map(({ id, n }) => [id, n])) });
  return numbered.toSorted((one, other) => one.n - other.n);
}

function showOne(numbered: readonly Numbered[], n: number): ToolAnswer {
  const found = numbered.find((each) => each.n === n);
  if (found === undefined) {
    const [first, last] = [numbered[0]?.n, numbered.at(-1)?.n];
    const there = first === undefined ? 'there is none' : `there are ${first} to ${last ?? first}`;
    throw refuse(`there is no request ${n}; ${there}.`);
  }
  const { exchange } = found;
  const sides = { request: messageOf(exchange.request), response: messageOf(exchange.response) };
  const lines = [
    `request: ${listHeaders(exchange.request)}`,
    ...quoteBody(exchange.request),
    `response: ${listHeaders(exchange.response)}`,
    ...quoteBody(exchange.response),
  ];
  return {
    text: [...tellOne(found), ...lines].join('\n'),
    data: { ...factsOf(found), request: sides.request, response: sides.response },
  };
}

function listHeaders({ headers }: RecordedMessage): string {
  return Object.entries(headers)
    .map(([field, value]) => `${field}: ${cutText(value, VALUE)}`)
    .join('; ');
}

function quoteBody(message: RecordedMessage): string[] {
  const text = textOf(message);
  return text === undefined ? [] : quoteTarget(text, BODY);
}

function textOf({ body, bodyOmitted }: RecordedMessage): string | undefined {
  if (bodyOmitted) return '(longer than 64 KiB: not stored)';
  return body === undefined || typeof body === 'string' ? body : printJson(body);
}

function messageOf(message: RecordedMessage): { headers: Record<string, string>; body?: string; cutFrom?: number } {
  const text = textOf(message);
  return {
    headers: { ...message.headers },
    ...(text === undefined ? {} : { body: cutText(text, BODY) }),
    ...(text === undefined || text.length <= BODY ? {} : { cutFrom: text.length }),
  };
}

function showSome(numbered: readonly Numbered[], given: Arguments, world: PetstoreWorld): ToolAnswer {
  const { since, violations } = given;
  const limit = Number(given['limit'] ?? USUAL);
  const filter = { operationId: given['operationId'], status: given['status'] } as RequestFilter;
  const fitting = numbered.filter(
    ({ n, exchange }) =>
      (since === undefined || n > Number(since)) &&
      (violations !== true || exchange.verdict !== 'ok') &&
      (filter.operationId === undefined || filter.operationId === exchange.operationId) &&
      (filter.status === undefined || filter.status === exchange.status),
  );
  const shown = since === undefined ? fitting.slice(-limit) : fitting.slice(0, limit);
  const leftOut = fitting.length - shown.length;
  const head = `${fitting.length} ${violations === true ? 'requests with a side at fault' : 'requests'}${world.name === 'default' ? '' : ` in ${world.name}`}`;
  const rest = leftOut === 0 ? '' : `; ${leftOut} ${since === undefined ? 'earlier' : 'later'} ones omitted`;
  const last = shown.at(-1)?.n ?? Number(since ?? 0);
  return {
    text: [`${head}${rest}. Ask for what follows with since=${last}.`, ...shown.flatMap(tellOne)].join('\n'),
    data: { total: fitting.length, ...only({ leftOut, next: last, requests: shown.map(factsOf) }) },
  };
}

function tellOne({ n, exchange }: Numbered): string[] {
  const { method, url, status, operationId, verdict, reason, violations, notes, faults } = exchange;
  const side = verdict === 'ok' ? '' : verdict === 'client' ? '  the client is at fault' : '  the mock is at fault';
  const struck = faults.length === 0 ? '' : `  struck by ${faults.join(', ')}`;
  const mend = tellMend(exchange);
  return [
    `#${n} ${method} ${cutText(url, URL_LENGTH)} → ${status} ${operationId ?? 'not in the contract'}${side}${struck}`,
    ...(violations.length === 0 && reason !== undefined
      ? [`  ${cutText(reason, URL_LENGTH)}${mend === undefined ? '' : `; ${mend}`}`]
      : []),
    ...violations
      .slice(0, MOST_WRONG)
      .map(
        (each) =>
          `  ${cutText(each.message, URL_LENGTH)} (${formatPlace(each.contract)}); ${tellMend(exchange, each) ?? ''}`,
      ),
    ...(violations.length > MOST_WRONG ? [`  and ${violations.length - MOST_WRONG} more of this request`] : []),
    ...notes.slice(0, 2).map((note) => `  note: ${cutText(note, URL_LENGTH)}`),
  ];
}

function factsOf({ n, exchange }: Numbered): Record<string, unknown> {
  const { method, url, status, operationId, verdict, reason, violations, faults } = exchange;
  return only({
    n,
    method,
    url: cutText(url, URL_LENGTH),
    status,
    operationId,
    atFault: verdict === 'ok' ? undefined : verdict,
    reason: violations.length === 0 ? reason : undefined,
    mend: violations.length === 0 && verdict !== 'ok' ? tellMend(exchange) : undefined,
    wrong: violations.slice(0, MOST_WRONG).map((each) => tellWrong(each, exchange)),
    more: Math.max(violations.length - MOST_WRONG, 0),
    faults,
  });
}

function tellWrong(violation: Violation, exchange: Exchange): Record<string, unknown> {
  const { at, rule, expected, actual, contract } = violation;
  return {
    at,
    rule,
    expected: cutText(expected, VALUE),
    actual: cutText(actual, VALUE),
    contract: formatPlace(contract),
    mend: tellMend(exchange, violation),
  };
}
