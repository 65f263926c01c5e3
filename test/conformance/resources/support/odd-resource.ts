import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../../src/server/start-petstore-mock.js';
import { makeFile } from '../../../support/folder.js';
import { content, inPath } from '../../../support/open-paths.js';

export type Schema = Record<string, unknown>;

export const text = { type: 'string' };
export const integer = { type: 'integer' };

export function object(properties: Schema, required: string[] = Object.keys(properties), more: Schema = {}): Schema {
  return { type: 'object', properties, required, ...more };
}

/** Its status is a word. */
export const failure = content(object({ code: text, message: text, status: text }));

/** An operation that takes one thing and shows another. */
export const takes = (sent: Schema, shown: Schema, more: Schema = {}): Schema => ({
  requestBody: content(sent),
  responses: { 200: content(shown), ...more },
});
export const creates = (sent: Schema, shown: Schema, more: Schema = {}): Schema => ({
  requestBody: content(sent),
  responses: { 201: content(shown) },
  ...more,
});
export const lists = (record: Schema, parameters: readonly Schema[] = []): Schema => ({
  parameters,
  responses: { 200: content({ type: 'array', items: record }) },
});

interface Given {
  /** What a record has beside an `id` and a `name`, and a client sends with the name; of these `needed` alone is required. */
  fields?: Schema;
  needed?: string[];
  /** In place of these. */
  record?: Schema;
  /** Default: what was said, or the record. */
  sent?: Schema;
  key?: Schema;
  query?: Schema[];
  /** Operations in place of those of the collection, and beside those of a record. */
  all?: Schema;
  item?: Record<string, Schema>;
}

/** A resource with a list, a create and a get, and what else is given. */
export function resource(name: string, given: Given = {}): Record<string, Schema> {
  const { fields = {}, needed, key = integer, query = [], all = {}, item = {} } = given;
  const record = given.record ?? object({ id: integer, name: text, ...fields }, needed && ['id', ...needed]);
  const usual = given.record ?? object({ name: text, ...fields }, needed);
  const parameters = [{ ...inPath(`${name.slice(0, -1)}Id`), schema: key }];
  const of = (operation: Schema): Schema => ({ parameters, ...operation });
  const others = Object.entries(item).map(([method, operation]) => [method, of(operation)]);
  const create = { requestBody: content(given.sent ?? usual), responses: { 201: content(record), 400: failure } };
  return {
    [`/${name}`]: { get: lists(record, query), post: create, ...all },
    [`/${name}/{${name.slice(0, -1)}Id}`]: {
      get: of({ responses: { 200: content(record), 404: failure } }),
      ...(Object.fromEntries(others) as Record<string, Schema>),
    },
  };
}

/** What a run says of the mock of a contract with these paths: which scenarios passed, and why others came to nothing. */
export async function runAgainstMock(
  paths: readonly object[],
  only?: string[],
): Promise<{ headlines: string[]; tested: string[]; reasons: string[] }> {
  const all = Object.assign({}, ...paths) as object;
  const document = { openapi: '3.1.0', info: { title: 'Odd', version: '1' }, paths: all };
  const spec = makeFile('odd.json', JSON.stringify(document));
  const mock = await startPetstoreMock({ spec, prism: false, count: 6 });
  try {
    const asked = { target: mock.url, apiKey: 'any', spec, settleMs: 10, ...(only === undefined ? {} : { only }) };
    const { problems, scenarios } = await runConformance(asked);
    const tested = scenarios.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
    const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ reason }) => reason ?? '');
    return { headlines: problems.map(({ headline }) => headline), tested, reasons: [...new Set(open)] };
  } finally {
    await mock.close();
  }
}
