// The heads of requests that real clients send, on requests that a run sends anyway.
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Operation } from '../../contract/model.js';
import type { AuthForm } from '../model/scenario.js';
import { readCases } from './field-values.js';

type ClientHeaders = Readonly<Record<string, string | null>>;

/**
 * The header fields of the next real client, by `turn`; all of them are sent within as many turns as there are rows.
 * `Accept` is none of them where a response may be something else than JSON.
 */
export function chooseClient(turn: number, auth: AuthForm | undefined, operation: Operation): ClientHeaders {
  const mayOpen = auth === undefined || auth === 'valid' || auth === 'missing';
  const rows = readCases('real-clients').filter(({ opens }) => mayOpen || opens !== true);
  const { Accept: accept, ...others } = rows[turn % rows.length]?.headers ?? {};
  const headers = accept === undefined || !isAlwaysJson(operation) ? others : { Accept: accept, ...others };
  return leaveOutNamed(headers, operation);
}

function leaveOutNamed(headers: ClientHeaders, { parameters }: Operation): ClientHeaders {
  const named = new Set(parameters.map(({ name }) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !named.has(name.toLowerCase())));
}

function isAlwaysJson({ responses }: Operation): boolean {
  return responses.every(
    ({ content }) => content.length < 2 && content.every(({ mediaType }) => isJsonMediaType(mediaType)),
  );
}

/** A number of a text that is the same in every run, to begin turns elsewhere for each scenario. */
export function countFrom(text: string): number {
  return Array.from(text).reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7);
}
