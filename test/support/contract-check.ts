import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

/** What came back over HTTP. */
export interface Answer {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The body's text as it was sent. */
  text: string;
}

// Compiled from the file itself, past everything in src/contract, so that a fault there cannot hide itself here.
const spec = parse(readFileSync(new URL('../../spec/petstore.openapi.yaml', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, object> };
};
const ajv = new Ajv2020({ allErrors: true, formats: { int64: true } });
ajv.addVocabulary(['components']);
ajv.addSchema({ components: { schemas: spec.components.schemas } }, 'spec');
const compile = (name: string): ValidateFunction => ajv.compile({ $ref: `spec#/components/schemas/${name}` });
const schemas = { Pet: compile('Pet'), Pets: compile('Pets'), Error: compile('Error') };

/** What an answer breaks, in words; empty when it keeps the contract. */
export function findFaults(answer: Answer): string[] {
  const { method, status, headers, text } = answer;
  const length = headers['content-length'];
  if (method === 'HEAD') return text === '' ? [] : ['HEAD has a body'];
  if (status === 204) return text === '' && method === 'OPTIONS' ? [] : ['204 to something else than OPTIONS'];
  const faults: string[] = [];
  if (length !== String(Buffer.byteLength(text))) faults.push(`content-length is ${String(length)}`);
  if (headers['content-type'] !== 'application/json') faults.push(`content-type is ${String(headers['content-type'])}`);
  const value: unknown = tryParse(text);
  if (value === undefined) return [...faults, 'the body is no JSON'];
  return [...faults, ...findSchemaFaults(answer, value), ...findStatusFaults(answer, value)];
}

function findSchemaFaults({ method, path, status }: Answer, value: unknown): string[] {
  const name = status >= 400 ? 'Error' : path.endsWith('/pets') && method === 'GET' ? 'Pets' : 'Pet';
  const validate = schemas[name];
  return validate(value) ? [] : [`no ${name}: ${ajv.errorsText(validate.errors)}`];
}

const SUCCESS: Record<string, number> = { 'GET list': 200, 'POST list': 201, 'GET one': 200 };

function findStatusFaults({ method, path, status }: Answer, value: unknown): string[] {
  if (status >= 400) {
    const { status: told } = value as { status?: unknown };
    return told === status ? [] : [`the body says ${String(told)}, the status is ${status}`];
  }
  const expected = SUCCESS[`${method} ${path.endsWith('/pets') ? 'list' : 'one'}`];
  return status === expected ? [] : [`the status ${status} is not documented`];
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
