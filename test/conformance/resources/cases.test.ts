import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { NAME_CHARACTERS } from '../../../src/contract/gaps/gaps-of-contract.js';
import { writeJson } from '../../../src/conformance/http/write-json.js';
import type { JsonForm } from '../../../src/conformance/model/exchange.js';
import { JSON_SCHEMA, readDialect } from '../../../src/contract/schemas/dialect.js';
import { packageFile } from '../../../src/package-files.js';

type Rows = (Record<string, unknown> & { id: string; rule: string })[];

const readRows = (name: string): Rows =>
  (parse(readFileSync(packageFile(`scenarios/cases/${name}.yaml`), 'utf8'), { intAsBigInt: true }) as { rows: Rows })
    .rows;
const tables = readdirSync(packageFile('scenarios/cases')).map((name) => name.replace('.yaml', ''));

/** A source that everybody can look up, with its section where it has some. */
const SOURCE = /\b(?:RFC \d{4} (?:sections? \d|appendix [A-Z])|JSON Schema|OpenAPI|YAML 1|ECMA-262|Unicode|W3C|Fetch)/;

test.each(tables)('each row of cases/%s has an id of its own, of its kind, and a rule with its source', (name) => {
  const rows = readRows(name);
  const kinds = rows.map(({ id, of: kind, type, format }) => [id, kind, type, format].join());
  expect(new Set(kinds).size).toBe(rows.length);
  expect(rows.filter(({ rule }) => !SOURCE.test(rule)).map(({ id }) => id)).toEqual([]);
});

test('a header field of a client has a name that is a token and a value that HTTP allows', () => {
  for (const { headers } of readRows('clients'))
    for (const [name, value] of Object.entries(headers as Record<string, string | null>)) {
      expect(name).toMatch(/^[\w!#$%&'*+.^`|~-]+$/);
      expect(value ?? 'x').toMatch(/^[!-~](?:[\t -~]*[!-~])?$/);
    }
});

test('two texts of a pair are two as they stand', () => {
  for (const { one, other } of readRows('equal-texts')) expect(one).not.toBe(other);
});

const RECORD = { name: 'Zo\u00EB <b> 1/2 \u{1F43E}', id: 12, price: 0.25, site: { lat: -90, lon: [1.5, 'x'] } };
const FORMS = readRows('json-forms').map(({ id }) => id as JsonForm);

test.each(FORMS)('JSON with %s is another text of the same value', (form) => {
  const text = writeJson(RECORD, form, JSON_SCHEMA);
  expect(text).not.toBe(JSON.stringify(RECORD));
  expect(JSON.parse(text)).toEqual(RECORD);
});

test('an integer has no exponent in OpenAPI 3.0', () => {
  expect(writeJson([12, 0.25], 'exponents', readDialect({ openapi: '3.0.3' }))).toBe('[12,25E-2]');
  expect(writeJson([12, 0.25], 'exponents', JSON_SCHEMA)).toBe('[0.12e2,25E-2]');
});

test('there is a text of each kind of characters that the gap of names knows', () => {
  const kinds = readRows('texts').filter(({ of }) => of === 'kinds');
  expect(kinds.map(({ id }) => id)).toEqual(Object.keys(NAME_CHARACTERS));
  for (const { id, text: template } of kinds)
    expect(Object.keys(NAME_CHARACTERS).filter((kind) => NAME_CHARACTERS[kind]?.test(String(template)))).toContain(id);
});
