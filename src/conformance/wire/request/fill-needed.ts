import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import type { Operation, Parameter } from '../../../contract/model.js';
import { isRepeatKey } from '../../../contract/operations/operations.js';
import type { WireRequest } from '../../model/wire.js';
import type { Step } from '../../model/scenario.js';
import { Literal } from '../../model/literal.js';
import { encode } from './encode.js';
import { listNeeded, type GivenParameters } from './needed-parameters.js';

interface Filling {
  contract: Contract;
  parameters: GivenParameters;
  extraHeaders: Readonly<Record<string, string>>;
}

/** What a step says of a parameter itself takes precedence, and so does a query that it states as text. */
export function fillNeeded(step: Step, operation: Operation, { parameters, contract, extraHeaders }: Filling): Step {
  const ending = operation.parameters.filter(isEndless).map((parameter) => ({ parameter, value: false }));
  const needed = [...listNeeded(operation, parameters, contract), ...ending].filter(({ value }) => value !== undefined);
  if (needed.length === 0) return step;
  const headers = lowerNames({ ...extraHeaders, ...asObject(step.headers) });
  const ofPlace = (place: 'header' | 'query', isStated: (name: string) => boolean): Record<string, unknown> =>
    Object.fromEntries(
      needed
        .filter(({ parameter }) => parameter.in === place && !isStated(parameter.name))
        .map(({ parameter, value }) => [parameter.name, chooseText(parameter, value, { parameters, contract })]),
    );
  const stated = new URLSearchParams(textOf(step.query ?? ''));
  const inQuery = ofPlace('query', (name) => Object.hasOwn(step.parameters, name) || stated.has(name));
  const asText = Object.entries(inQuery).map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`);
  return {
    ...step,
    headers: { ...ofPlace('header', (name) => headers.has(name.toLowerCase())), ...asObject(step.headers) } as Record<
      string,
      string | null
    >,
    ...(step.query === undefined
      ? { parameters: { ...step.parameters, ...inQuery } }
      : { query: joinQuery(step.query, asText) }),
  };
}

/** By which a response goes on until the client hangs up: `stream`, which is often true by default. */
function isEndless({ in: place, name, required, shape }: Parameter): boolean {
  return place === 'query' && !required && shape.types.includes('boolean') && /^(?:stream|follow|watch)$/i.test(name);
}

function joinQuery(query: string | Literal, more: readonly string[]): string | Literal {
  const joined = [textOf(query), ...more].filter((part) => part !== '').join('&');
  return query instanceof Literal ? new Literal(joined) : joined;
}

function textOf(value: unknown): string {
  return String(value instanceof Literal ? value.value : value);
}

const ZEROS = '00000000-0000-4000-8000-0000';

/** Requests with the same repeat key are one request: each has its own, unless the user gives one. */
function chooseText(
  { name, schemaPointer }: Parameter,
  value: unknown,
  { parameters, contract }: Omit<Filling, 'extraHeaders'>,
): unknown {
  const isGiven = Object.keys(parameters).some((each) => each.toLowerCase() === name.toLowerCase());
  const takesOurs =
    schemaPointer === undefined || contract.validate.value(schemaPointer, `${ZEROS}12345678`).length === 0;
  return isRepeatKey(name) && !isGiven && takesOurs ? `${ZEROS}{$uniqueInteger}` : new Literal(String(value));
}

function lowerNames(headers: object): Set<string> {
  return new Set(Object.keys(headers).map((name) => name.toLowerCase()));
}

/** The header fields that are parameters of an operation, by their names in lower case. */
export function listNamed({ parameters }: Operation, headers: WireRequest['headers']): Record<string, string> {
  const names = new Set(parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name.toLowerCase()));
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.filter((entry): entry is readonly [string, string] => names.has(entry[0]) && typeof entry[1] === 'string'),
  );
}
