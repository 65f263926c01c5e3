import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readDocument } from '../../../src/contract/document/document.js';
import { printJson } from '../../../src/contract/document/json.js';
import { brokenBySending, documentOf, loadFiles } from '../support/documents.js';

type Group = { is: string; schema: object; others?: object; valid?: unknown[]; invalid?: unknown[]; wrong?: string };

const path = fileURLToPath(new URL('json-schema-2020-12.yaml', import.meta.url));
const groups = readDocument(path, { code: 'unusable-contract' }).root as Group[];

test.each(groups)('$is', ({ schema, others, valid = [], invalid = [], wrong }) => {
  const components = printJson({ schemas: { Tested: schema, ...others } });
  const contract = loadFiles({ 'api.yaml': documentOf("{ $ref: '#/components/schemas/Tested' }", { components }) });
  const judged = (values: unknown[]): [string, boolean][] =>
    values.map((value) => [printJson(value), brokenBySending(contract, value).length === 0]);
  const isRight = wrong === undefined;
  expect([...judged(valid), ...judged(invalid)]).toEqual([
    ...valid.map((value) => [printJson(value), isRight]),
    ...invalid.map((value) => [printJson(value), !isRight]),
  ]);
});
