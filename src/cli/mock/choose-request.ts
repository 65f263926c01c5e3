import type { Contract } from '../../contract/contract.js';
import { printJson } from '../../contract/document/json.js';
import type { Operation, Parameter } from '../../contract/model.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { findExample } from '../../contract/schemas/examples.js';

/** What a line to try sends, apart from credentials. */
export interface TriedRequest {
  operation: Operation;
  /** With values for what the path asks for. */
  path: string;
  /** `name=value`, encoded. */
  query: string[];
  /** `Name: value`. */
  headers: string[];
  body: { mediaType: string; text: string } | undefined;
}

/** The key of a record that an operation can have, where it needs one. */
export type FindKey = (operation: Operation) => unknown;

/** So long may a body be that is to be pasted. */
const LONGEST_BODY = 300;

/**
 * The request that is the easiest to send: a GET, without a record's key, with little to fill in; `undefined` if the
 * contract has no operation at all.
 */
export function chooseRequest(contract: Contract, findKey: FindKey = () => undefined): TriedRequest | undefined {
  const [easiest] = contract.operations.toSorted((a, b) => rank(a) - rank(b));
  return easiest === undefined ? undefined : fillIn(easiest, contract, findKey);
}

function rank({ method, path, parameters, requestBody }: Operation): number {
  const isGet = method === 'GET';
  const needsRecord = path.endsWith('}');
  const asked = parameters.filter(({ required }) => required).length;
  return (isGet ? 0 : 1000) + (needsRecord ? 100 : 0) + asked + (requestBody === undefined ? 0 : 10);
}

function fillIn(operation: Operation, contract: Contract, findKey: FindKey): TriedRequest {
  const { document } = contract;
  const valueOf = ({ schemaPointer }: Parameter): string => {
    const value = schemaPointer === undefined ? 'x' : (sampleValue(document, schemaPointer) ?? 'x');
    return Array.isArray(value) ? value.map(printPlain).join(',') : printPlain(value);
  };
  const required = operation.parameters.filter((each) => each.required);
  const key = operation.path.endsWith('}') ? findKey(operation) : undefined;
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (all, name: string, at: number) => {
    const isLast = at + all.length === operation.path.length;
    const parameter = required.find((each) => each.in === 'path' && each.name === name);
    return encodeURIComponent(
      isLast && key !== undefined ? printPlain(key) : parameter === undefined ? 'x' : valueOf(parameter),
    );
  });
  const limit = operation.parameters.filter((each) => each.in === 'query' && each.name === 'limit' && !each.required);
  return {
    operation,
    path,
    query: [
      ...required
        .filter((each) => each.in === 'query')
        .map((each) => `${each.name}=${encodeURIComponent(valueOf(each))}`),
      ...limit.map(() => 'limit=2'),
    ],
    headers: required.filter((each) => each.in === 'header').map((each) => `${each.name}: ${valueOf(each)}`),
    body: fillBody(operation, contract),
  };
}

function printPlain(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value);
}

function fillBody({ requestBody }: Operation, { document }: Contract): TriedRequest['body'] {
  const [content] = requestBody?.content ?? [];
  if (requestBody === undefined || content === undefined) return undefined;
  const example = findExample(document, { ...requestBody, status: '', headers: [] });
  const small = content.schemaPointer === undefined ? {} : sampleValue(document, content.schemaPointer);
  const texts = [example?.value, small].flatMap((value) => (value === undefined ? [] : [printJson(value)]));
  const text = texts.find(({ length }) => length <= LONGEST_BODY) ?? texts.at(-1);
  return text === undefined ? undefined : { mediaType: content.mediaType, text };
}
