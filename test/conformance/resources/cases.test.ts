import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseJson } from '../../../src/contract/document/json.js';
import { NAME_CHARACTERS } from '../../../src/contract/gaps/gaps-of-contract.js';
import { planRun } from '../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../src/package-files.js';
import { makeFile } from '../../support/folder.js';
import { integer, object, resource, text } from './support/odd-resource.js';

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

const price = { type: 'number', examples: [0.25] };
const site = { ...text, format: 'uri' };
const sent = object({ name: text, site, price });
const paths = resource('things', { record: object({ id: integer, name: text, site, price }), sent });

test('JSON that is written otherwise states the same record, with the same references', () => {
  const spec = makeFile('things.json', JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths }));
  const forms = planRun({ spec }).scenarios.filter(({ id }) => id.includes('/written-text['));
  const texts = forms.flatMap(({ steps }) => steps.map(({ requestBody }) => requestBody?.text ?? ''));
  const fill = (json: string): unknown => parseJson(json.replaceAll(/\{\$\w+\}/g, '7'));
  expect(forms.map(({ id }) => id.replace(/.*\[(.*)\]/, '$1'))).toEqual([
    'white-space',
    'escaped-names',
    'escaped-values',
    'exponents',
    'reversed',
  ]);
  const [first = '', ...others] = texts;
  expect(fill(first)).toMatchObject({ ok: true });
  for (const other of others) {
    expect(fill(other)).toEqual(fill(first));
    expect(other.match(/\{\$\w+\}/g)?.toSorted()).toEqual(first.match(/\{\$\w+\}/g)?.toSorted());
  }
  expect(new Set(texts).size).toBe(texts.length);
});

test('there is a text of each kind of characters that the gap of names knows', () => {
  const kinds = readRows('texts').filter(({ of }) => of === 'kinds');
  expect(kinds.map(({ id }) => id)).toEqual(Object.keys(NAME_CHARACTERS));
  for (const { id, text: template } of kinds)
    expect(Object.keys(NAME_CHARACTERS).filter((kind) => NAME_CHARACTERS[kind]?.test(String(template)))).toContain(id);
});
