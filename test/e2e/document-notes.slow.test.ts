import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/contract.js';
import { describeNotes } from '../../src/contract/document/document.js';
import { readDryRun } from '../../src/conformance/product/plan-run.js';
import { runConformance } from '../../src/conformance/index.js';
import { judgeResult } from '../../src/cli/conformance/judge-result.js';
import { formatOutlook } from '../../src/cli/conformance/init.js';
import { prettyReport } from '../../src/report/pretty.js';
import { setUp } from '../../src/server/set-up.js';
import { makeFile } from '../support/folder.js';
import { content } from '../support/open-paths.js';
import { startMock } from '../support/started-mock.js';

const text = { type: 'string' };

/** The file of a document of things, of which a response shows `shown`. */
function write(shown: Record<string, unknown>): string {
  const item = {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: { responses: { 200: content(shown), 404: content({}) } },
  };
  const sent = content({ type: 'object', properties: { name: text } });
  const list = {
    get: { responses: { 200: content({ type: 'array', items: shown }) } },
    post: { requestBody: sent, responses: { 201: content(shown), 400: content({}) } },
  };
  const paths = { '/things': list, '/things/{id}': item };
  return makeFile('a.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths }));
}

test('what of a document is not judged is said by the mock, by init and by a run alike', async () => {
  const properties = { id: { type: 'integer' }, name: text, size: { type: 'integer', enum: ['S'] } };
  const spec = write({ type: 'object', properties });
  const notes = describeNotes(loadContract(spec).listNotes(), Infinity);
  expect(notes).toEqual([expect.stringMatching(/a\.json:1:\d+: no value of enum is of type integer/)]);
  expect(setUp({ spec, prism: false }).notes).toEqual(notes);
  const outlook = readDryRun({ spec });
  expect(outlook.notes).toEqual(notes);
  expect(formatOutlook(outlook, { spec, program: 'p', output: undefined })).toContain(notes[0]);
  const mock = await startMock({ spec, prism: false });
  const result = await runConformance({ target: mock.url, spec, apiKey: '' });
  expect(result.contract.notes).toEqual(notes);
  expect(prettyReport.write(result, { color: false, quiet: false })).toContain('no value of enum is of type integer');
  expect(result.untested).toBeUndefined();
});

test('a run that cannot test any resource, since no record can be what the contract says, is no success', async () => {
  const base = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
  const closed = { type: 'object', properties: { name: text }, additionalProperties: false };
  const spec = write({ allOf: [base, closed] });
  const mock = await startMock({ spec, prism: false });
  const result = await runConformance({ target: mock.url, spec, apiKey: '' });
  expect(result.untested).toContain('additionalProperties: false');
  expect(judgeResult(result, { failOn: 'deviation', minConcluded: 0 } as never)).toMatchObject({ code: 2 });
  const written = prettyReport.write(result, { color: false, quiet: false });
  expect(written).toMatch(/^0 of 1 resource tested of .*: .*additionalProperties: false/);
  expect(written).not.toContain('no problem in');
});
