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

test('entries are in the order in which they were sent, whatever the order of the scenarios', () => {
  const at = (id: string, startedAt: string) => makeDeviating(id, [makeFinding()], { startedAt });
  const { entries } = read(makeResult([at('a/a', '2030-01-02T03:04:06.000Z'), at('a/b', '2030-01-02T03:04:05.900Z')]));
  expect(entries.map(({ pageref }) => pageref)).toEqual(['a/b', 'a/a']);
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
