import type { Contract } from '../../../../src/contract/contract.js';
import { inferResources } from '../../../../src/contract/resources/infer-resources.js';
import { summarize } from './summarize.js';
import { parseContract } from '../../../support/parse-contract.js';
import { listOf, NUMBER, object, TEXT, type Schema } from '../../../support/schemas.js';

/** One operation, in few words. */
export interface Described {
  id?: string;
  query?: Record<string, Schema>;
  /** The schema of the request body. */
  takes?: Schema;
  /** The schema of the answer; `none` for one without a body. */
  answers?: Schema | 'none';
  /** Default: 200, or 204 without a body. */
  status?: number;
}

/** A contract of operations by method and path: `GET /pets/{petId}`. Parameters of paths are texts. */
export function build(operations: Record<string, Described>, inPaths: Record<string, Schema> = {}): Contract {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [place, described] of Object.entries(operations)) {
    const [method = '', path = ''] = place.split(' ');
    (paths[path] ??= { ...inPaths[path] })[method.toLowerCase()] = describe(place, path, described);
  }
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }, undefined, 1);
  return parseContract(text, { shownAs: 'built.json' });
}

function describe(place: string, path: string, described: Described): Schema {
  const { id = place, query = {}, takes, answers = 'none', status } = described;
  const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => name);
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: TEXT }));
  const inQuery = Object.entries(query).map(([name, { required, ...schema }]) => {
    return { name, in: 'query', required: required === true, schema };
  });
  const body = answers === 'none' ? {} : { content: json(answers) };
  return {
    operationId: id,
    parameters: [...inPath, ...inQuery],
    ...(takes === undefined ? {} : { requestBody: { content: json(takes) } }),
    responses: { [status ?? (answers === 'none' ? 204 : 200)]: { description: 'ok', ...body } },
  };
}

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

export { listOf, NUMBER, object, TEXT };

export const PET = object({ id: NUMBER, name: TEXT, status: TEXT });

/** What is inferred of such operations, in lines. */
export function inferred(operations: Record<string, Described>, inPaths: Record<string, Schema> = {}): string[] {
  return summarize(inferResources(build(operations, inPaths)));
}

/** Two paths that get a record. */
export const pair = (collection: string, item: string, record: Schema): Record<string, Described> => ({
  [`GET ${collection}`]: { answers: listOf(record) },
  [`GET ${item}`]: { answers: record },
});

/** What is inferred of the pets, with other operations beside them. */
export const withPets = (operations: Record<string, Described>): string[] =>
  inferred({ ...pair('/pets', '/pets/{petId}', PET), ...operations });
