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

const NAMED = object({ id: integer, name: text });

/** A resource with a list, a create and a get, and what else is given. */
export function resource(
  name: string,
  { record = NAMED, sent = record === NAMED ? object({ name: text }) : record, key = integer, ...more }: Given = {},
): Record<string, Schema> {
  const one = name.slice(0, -1);
  return {
    [`/${name}`]: {
      get: { parameters: more.query ?? [], responses: { 200: content({ type: 'array', items: record }) } },
      post: { requestBody: content(sent), responses: { 201: content(record), 400: failure } },
    },
    [`/${name}/{${one}Id}`]: {
      get: { parameters: [{ ...inPath(`${one}Id`), schema: key }], responses: { 200: content(record), 404: failure } },
      ...more.item,
    },
  };
}

interface Given {
  /** Default: an `id` and a `name`, of which the name is sent. */
  record?: Schema;
  /** Default: the record. */
  sent?: Schema;
  key?: Schema;
  query?: Schema[];
  item?: Schema;
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
