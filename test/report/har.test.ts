import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { judgeHar } from '../support/judges/judge-har.js';
import { makeDeviating, makeExchange, makeFinding, makeResult, makeScenario } from './results.js';

interface Entry {
  pageref: string;
  startedDateTime: string;
  time: number;
  comment: string;
  request: {
    url: string;
    headers: object[];
    queryString: object[];
    bodySize: number;
    postData?: { mimeType: string; text: string };
  };
  response: { status: number; bodySize: number; content: { text: string; mimeType: string } };
}

function read(result: RunResult): { pages: { id: string; comment: string }[]; entries: Entry[] } {
  const text = reportFormats['har']?.write(result, { color: false, quiet: false }) ?? '';
  expect(judgeHar(text)).toEqual([]);
  return (JSON.parse(text) as { log: { pages: []; entries: Entry[] } }).log;
}

test('a sound exchange is there with its whole content, though no problem shows it', () => {
  const body = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: 'Rex' })));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const sound = makeExchange({ response: { status: 200, headers, body } });
  const { pages, entries } = read(
    makeResult([
      makeScenario('a/a', 'passed', { steps: [{ id: 'list', exchanges: [sound] }] }),
      makeScenario('a/b', 'skipped'),
    ]),
  );
  expect(pages.map(({ id, comment }) => [id, comment])).toEqual([['a/a', 'passed']]);
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  expect(entry).toMatchObject({ pageref: 'a/a', time: 1.5, comment: 'scenario a/a, step list' });
  expect(entry?.response).toMatchObject({ status: 200, bodySize: body.length, content: { text: body } });
  expect(entry?.request.url).toBe('http://127.0.0.1:4010/v1/pets?status=sold&limit=100');
  expect(entry?.request.queryString).toEqual([
    { name: 'status', value: 'sold' },
    { name: 'limit', value: '100' },
  ]);
  expect(entry?.request.headers).toContainEqual({ name: 'Authorization', value: '<valid>' });
});

test('entries are in the order in which they were sent, whatever the order of the scenarios', () => {
  const at = (id: string, startedAt: string) => makeDeviating(id, [makeFinding()], { startedAt });
  const { entries } = read(makeResult([at('a/a', '2030-01-02T03:04:06.000Z'), at('a/b', '2030-01-02T03:04:05.900Z')]));
  expect(entries.map(({ pageref }) => pageref)).toEqual(['a/b', 'a/a']);
});

test('what was found stands in the comment, and what was sent in the content of the request', () => {
  const { request } = makeExchange();
  const [entry] = read(
    makeResult([
      makeDeviating('a/a', [makeFinding()], {
        request: { ...request, method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"é"}' },
      }),
    ]),
  ).entries;
  expect(entry?.comment).toContain('deviation: records: expected "sold", actual "pending" at body/0/status');
  expect(entry?.request.postData).toEqual({ mimeType: 'application/json', text: '{"name":"é"}' });
  expect(entry?.request.bodySize).toBe(-1);
});

test('a request without an answer has the status 0, and says why', () => {
  const { response: _, ...unanswered } = makeExchange({ failure: 'the connection was reset' });
  const [entry] = read(
    makeResult([makeScenario('a/a', 'inconclusive', { steps: [{ id: 'list', exchanges: [unanswered] }] })]),
  ).entries;
  expect(entry?.response.status).toBe(0);
  expect(entry?.comment).toContain('no response: the connection was reset');
});

test('a path that is no URI is escaped', () => {
  const { request } = makeExchange();
  const [entry] = read(
    makeResult([
      makeDeviating('a/a', [makeFinding()], { request: { ...request, path: '/pets/%zz é<redacted>?a[]=1' } }),
    ]),
  ).entries;
  expect(entry?.request.url).toBe('http://127.0.0.1:4010/v1/pets/%25zz%20%C3%A9%3Credacted%3E?a%5B%5D=1');
});
