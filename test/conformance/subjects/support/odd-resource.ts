import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { startPetstoreMock } from '../../../../src/server/start-petstore-mock.js';
import { content, inPath } from '../../../support/open-paths.js';

export type Schema = Record<string, unknown>;

export const text = { type: 'string' };
export const integer = { type: 'integer' };

export function object(properties: Schema, required: string[] = Object.keys(properties), more: Schema = {}): Schema {
  return { type: 'object', properties, required, ...more };
}

/** Its status is a word. */
export const failure = content(object({ code: text, message: text, status: text }));

/** A resource with a list, a create and a get, and what else is given. */
export function resource(
  name: string,
  { record, sent = record, key = integer, ...more }: Given,
): Record<string, Schema> {
  const one = name.slice(0, -1);
  return {
    [`/${name}`]: {
      get: { parameters: more.query ?? [], responses: { 200: content({ type: 'array', items: record }) } },
      post: { requestBody: content(sent), responses: { 201: content(record), 400: failure } },
    },
    [`/${name}/{${one}Id}`]: {
      get: {
        parameters: [{ ...inPath(`${one}Id`), schema: key }],
        responses: { 200: content(record), 404: failure },
      },
      ...more.item,
    },
  };
}

interface Given {
  record: Schema;
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
  const folder = mkdtempSync(join(tmpdir(), 'odd-'));
  const spec = join(folder, 'odd.json');
  const all = Object.assign({}, ...paths) as object;
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Odd', version: '1' }, paths: all }));
  const mock = await startPetstoreMock({ spec, prism: false, count: 6 });
  try {
    const asked = only === undefined ? {} : { only };
    const { problems, scenarios } = await runConformance({
      target: mock.url,
      apiKey: 'any',
      spec,
      settleMs: 10,
      ...asked,
    });
    const tested = scenarios.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id);
    const open = scenarios.filter(({ verdict }) => verdict === 'inconclusive').map(({ reason }) => reason ?? '');
    return { headlines: problems.map(({ headline }) => headline), tested, reasons: [...new Set(open)] };
  } finally {
    await mock.close();
    rmSync(folder, { recursive: true });
  }
}
