// Requests as real clients send them: heads, and forms of messages and of JSON, on requests that a run sends anyway.
import type { Contract } from '../../contract/contract.js';
import { readOnce } from '../../contract/document/document.js';
import { asObject, asText } from '../../contract/document/plain.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import type { Operation } from '../../contract/model.js';
import { saysIgnored } from '../../contract/operations/said-in-words.js';
import type { JsonForm } from '../model/exchange.js';
import type { AuthForm, RawStep } from '../model/scenario.js';
import { readCases } from './field-values.js';
import { present } from './instance.js';

type ClientHeaders = Readonly<Record<string, string | null>>;

/** `isRejected`: whether the service is to reject it for something else than its head. */
type Asked = { auth: AuthForm | undefined; isRejected: boolean; operation: Operation; contract: Contract };

const listSentences = readOnce((contract: Contract): string[] => {
  const description = asText(asObject(contract.document.at('/info'))['description']) ?? '';
  const paragraphs = description.split(/\n\s*(?:\n|(?:[-*+]|\d+\.)\s)/);
  return paragraphs.flatMap((each) => each.replaceAll(/\s+/g, ' ').split(/(?<=[.!?]) /));
});

/** Whether the contract says so of a header field, in a sentence of its description: otherwise, a service may go by it. */
export function isIgnored(field: 'Origin' | 'X-Forwarded', contract: Contract): boolean {
  return listSentences(contract).some((sentence) => saysIgnored(sentence, field));
}

/** The header fields of the next real client, by `turn`: all of them are sent within as many turns as there are rows. */
export function chooseClient(turn: number, { auth, isRejected, operation, contract }: Asked): ClientHeaders {
  const mayOpen = auth === undefined || auth === 'valid' || auth === 'missing';
  const rows = readCases('real-clients').filter(
    ({ opens, ofRejected, ignored }) =>
      (mayOpen || opens !== true) &&
      (isRejected || ofRejected !== true) &&
      (ignored === undefined || isIgnored(ignored, contract)),
  );
  const named = new Set(operation.parameters.map(({ name }) => name.toLowerCase()));
  const isJson = operation.responses.every(
    ({ content }) => content.length < 2 && content.every(({ mediaType }) => isJsonMediaType(mediaType)),
  );
  const headers = Object.entries(rows[turn % rows.length]?.headers ?? {});
  const isSent = (name: string): boolean => !named.has(name.toLowerCase()) && (name !== 'Accept' || isJson);
  return Object.fromEntries(headers.filter(([name]) => isSent(name)));
}

/** The next form of a message that every server reads; of some turns none, as clients usually send it. */
export function chooseForm(turn: number, has: { query: boolean; body: boolean }): Pick<RawStep, 'form' | 'query'> {
  // A service may respond to a head before it has a body: a head in two packets has none behind it.
  const rows = readCases('messages', 'reading').filter(
    ({ query, form }) => !(has.query && query !== undefined) && !(has.body && form === 'headInPieces'),
  );
  const { form, query } = rows[turn % (rows.length + 1)] ?? {};
  return present({ form, query });
}

export function chooseWriting(turn: number): JsonForm | undefined {
  const rows = readCases('json-forms').filter(({ of }) => of.includes('riding'));
  return rows[turn % (rows.length + 1)]?.id;
}

/** A number of a text that is the same in every run, to begin turns elsewhere for each scenario. */
export function countFrom(text: string): number {
  return Array.from(text).reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7);
}
