import { parseJson, printJson } from '../../../contract/document/json.js';
import { cutText } from '../../../contract/document/cut-text.js';
import { NAME_PREFIX } from '../../ledger/run-texts.js';
import { BEYOND } from '../../subjects/records/unique-texts.js';
import type { ExchangeResult, ScenarioResult } from '../../model/result.js';
import { listOperations, type Occurrence } from '../occurrence.js';
import { has } from '../statuses.js';

const LONGEST_VALUE = 40;

/**
 * What all refused requests have that no request which was served has, as far as one thing suffices to tell them
 * apart: ` with status "sold"`, ` that it served before`; empty if it does not.
 */
export function describeRefused(occurrences: readonly Occurrence[], scenarios: readonly ScenarioResult[]): string {
  if (occurrences.every(isSentAgain)) return describeRepetition(occurrences);
  const [operation, ...others] = listOperations(occurrences);
  if (operation === undefined || others.length > 0) return '';
  const refused = occurrences.map(({ exchange }) => readFacts(exchange));
  const served = scenarios
    .flatMap(({ steps }) => steps.flatMap((step) => step.exchanges))
    .filter((each) => each.operationId === operation && isServed(each))
    .map(readFacts);
  const isOfValue = occurrences.every(({ exchange }) => has(exchange, ...OF_VALUES));
  return isOfValue && served.length > 1 ? compareFacts(refused, served) : '';
}

/** The statuses by which services refuse a value, or fail on it. */
const OF_VALUES = ['400', '422', '5XX'];

function isServed({ response }: ExchangeResult): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Whether the scenario has sent the same before, and was served. */
function isSentAgain({ scenario, exchange }: Occurrence): boolean {
  const all = scenario.steps.flatMap((step) => step.exchanges);
  const { method, path, body } = exchange.request;
  return all
    .slice(0, all.indexOf(exchange))
    .some(
      (each) =>
        method !== 'GET' &&
        isServed(each) &&
        each.request.method === method &&
        each.request.path === path &&
        each.request.body === body,
    );
}

function describeRepetition(occurrences: readonly Occurrence[]): string {
  const name = readSentAgain(occurrences);
  return name === undefined ? ' when it is sent again' : ` when it is sent again with the same \`${name}\``;
}

/** The header field with which a request was sent twice, if it was the same for all. */
export function readSentAgain(occurrences: readonly Occurrence[]): string | undefined {
  const [name, ...others] = new Set(occurrences.map(({ scenario }) => scenario.about?.header));
  return others.length > 0 ? undefined : name;
}

/** The values of a body, as JSON, by their places, and the parameters of a query. */
type Facts = ReadonlyMap<string, string>;

function readFacts({ request: { path, body } }: ExchangeResult): Facts {
  const read = parseJson(body ?? '');
  const facts = new Map<string, string>(new URLSearchParams(path.split('?')[1]));
  if (read.ok) collectFacts(read.value, '', facts);
  return facts;
}

function collectFacts(value: unknown, at: string, facts: Map<string, string>): void {
  const isPlain = typeof value !== 'object' || value === null || Array.isArray(value);
  if (isPlain || Object.keys(value).length === 0) {
    if (at !== '') facts.set(at, printJson(value));
    return;
  }
  for (const [name, each] of Object.entries(value)) collectFacts(each, at === '' ? name : `${at}/${name}`, facts);
}

function compareFacts(refused: readonly Facts[], served: readonly Facts[]): string {
  const own = [...(refused[0] ?? [])].filter(
    ([at, value]) =>
      refused.every((each) => each.get(at) === value) &&
      served.every((each) => each.get(at) !== value) &&
      !isAlwaysNew(at, value, served),
  );
  const [only, ...more] = own;
  if (only !== undefined) return more.length > 0 ? '' : ` with \`${only[0]}\` ${cutText(only[1], LONGEST_VALUE)}`;
  const [lacked, ...others] = [...(served[0]?.keys() ?? [])].filter(
    (at) => served.every((each) => each.has(at)) && refused.every((each) => !each.has(at)),
  );
  return lacked === undefined || others.length > 0 ? '' : ` without \`${lacked}\``;
}

/**
 * A value that hardly two requests share, such as a name of the run's own, says nothing about one of them; one of another
 * kind, such as null, does.
 */
function isAlwaysNew(at: string, value: string, served: readonly Facts[]): boolean {
  if (OWN_NAME.test(value)) return true;
  const values = served.flatMap((each) => each.get(at) ?? []).filter((each) => kindOfJson(each) === kindOfJson(value));
  return values.length > 1 && new Set(values).size > values.length / 2;
}

/** The first letter tells kinds of JSON apart; numbers are one. */
function kindOfJson(text: string): string {
  return text === '""' ? text : (text[0] ?? '').replace(/[-\d]/, '0');
}

const OWN_NAME = new RegExp(`^"${BEYOND}?${NAME_PREFIX}[a-z]{5}`);
