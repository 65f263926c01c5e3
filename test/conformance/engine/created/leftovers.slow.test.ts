import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { listLeft as tellLeft } from '../../../../src/report/report-format.js';
import type { ConformanceOptions } from '../../../../src/conformance/model/options.js';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import { listLeft, startPinboard, visit, type Habits, type Pin } from './pinboard.js';

const FIRST = ['Milk', 'Bread', 'Butter'];
/** Answers so, in JSON. */
function say(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  return true;
}

test.each<[string, Habits]>([
  ['nothing odd happens', {}],
  ['what was refused is kept all the same', { keepsRefused: true }],
  ['no response shows a key', { answers: ({ name }) => ({ name }) }],
  ['keys change with names', { derivesKeys: true, key: { type: 'string' } }],
  ['a create is answered after its time', { keepsRefused: true, answers: () => ({}) }],
])('nothing is left where %s', async (_, habits) => {
  const { result, board } = await visit(habits);
  expect(result.summary.created).toBeGreaterThan(5);
  expect([listLeft(board), result.leftBehind, tellLeft(result)]).toEqual([[], undefined, []]);
  expect(board.pins.map(({ name }) => name)).toEqual(FIRST);
});

test('a record is removed by its key, whichever member of an answer the record stands in', async () => {
  const { result, board } = await visit({ lacks: ['list'], answers: ({ id }) => ({ data: { id } }) });
  expect(result.summary.created).toBeGreaterThan(0);
  expect([listLeft(board), result.leftBehind]).toEqual([[], undefined]);
});

test('a record of which a service has read nothing is removed by its key', async () => {
  const { result, board } = await visit({
    lacks: ['list'],
    first: (request, response, { pins, log }) => {
      if (request.method !== 'POST' || request.headers['content-type'] === 'application/json') return false;
      const pin = { id: 5000 + log.length, name: null };
      pins.push(pin);
      log.push({ line: 'read nothing', body: undefined });
      return say(response, 201, pin);
    },
  });
  expect(board.log.filter(({ line }) => line === 'read nothing').length).toBeGreaterThan(0);
  expect(board.pins.filter(({ name }) => name === null)).toEqual([]);
  expect(result.leftBehind).toBeUndefined();
});

test('a service that answers an empty list with an empty list has made nothing that could be left', async () => {
  let asked = 0;
  const { result, board } = await visit({
    first: (request, response, { log }) => {
      const body: unknown = log.at(-1)?.body;
      if (request.method !== 'POST' || !Array.isArray(body) || body.length > 0) return false;
      asked += 1;
      return say(response, 200, { data: [] });
    },
  });
  expect(asked).toBeGreaterThan(0);
  expect([listLeft(board), result.leftBehind]).toEqual([[], undefined]);
});

test('what the contract has no operation to remove is told, with a number, what to look for, and keys', async () => {
  const { result, board } = await visit({ lacks: ['delete'] });
  const left = listLeft(board);
  const [first] = result.leftBehind ?? [];
  expect(first).toMatchObject({ one: 'pin', many: 'pins', count: left.length });
  expect(first?.keys).toEqual(board.pins.slice(3).map(({ id }) => String(id)));
  expect(left.filter((name) => String(name).includes(first?.mark ?? '-')).length).toBeGreaterThan(left.length / 2);
  expect(tellLeft(result)).toEqual([
    expect.stringMatching(
      /^leftover: \d+ created pins, since the contract has no operation to remove one: at http:.*\/pins\/\d+/,
    ),
  ]);
});

/** Records with a word as their only text, which a run creates where nothing can be removed. */
const WORDS = 11;

test('what was refused and kept is told too where nothing can be removed', async () => {
  const { result, board } = await visit({ lacks: ['delete'], keepsRefused: true });
  const left = listLeft(board);
  const named = left.filter((name) => /cf/.test(String(name)));
  // What has a word as its only text is told by its key.
  expect(result.leftBehind?.[0]?.count).toBeGreaterThanOrEqual(named.length + WORDS);
  expect(left.length).toBeGreaterThan(result.summary.created);
});

test.each<[string, Partial<ConformanceOptions>]>([
  ['to keep it', { keep: true }],
  ['to create alone', { may: ['create'] }],
])('a run that is asked %s tells what it leaves', async (_, options) => {
  const { result, board } = await visit({ keepsRefused: true }, options);
  expect(result.leftBehind?.[0]?.count).toBe(listLeft(board).length);
  expect(result.leftBehind?.[0]?.count).toBeGreaterThan(5);
  const skipped = new Set(result.scenarios.map(({ verdict, reason }) => `${verdict}: ${reason ?? ''}`));
  const refused = ['update', 'remove'].map((each) => skipped.has(`skipped: it would ${each} a record (--may ${each})`));
  expect(refused).toEqual(options.may ? [true, true] : [false, false]);
  expect(board.log.filter(({ line }) => line.startsWith('DELETE')).length === 0 || options.keep).toBe(true);
});

test('a record of somebody else is never removed, whatever a create answers', async () => {
  const { board } = await visit({ answers: (_, pins) => pins[1] });
  expect(board.pins.map(({ name }) => name)).toEqual(FIRST);
});

test("a record of somebody else's that looks like one of the run's is not removed", async () => {
  let planted = 0;
  const { board } = await visit({
    first: ({ method }, _, { pins, log }) => {
      // As soon as the run has shown its mark, there are pins with texts that it has not written.
      const [, mark] = /"(cf[a-z]{2})[a-z]{3}"/.exec(JSON.stringify(log.at(-1)?.body ?? '')) ?? [];
      if (method === 'POST' && mark !== undefined && planted === 0)
        pins.push({ id: ++planted + 900, name: `${mark}zzz` });
      return false;
    },
  });
  expect(planted).toBe(1);
  expect(board.pins.map(({ name }) => String(name).replace(/cf../, ''))).toEqual(['Milk', 'Bread', 'Butter', 'zzz']);
});

test('what the target still lists after it removed it is told', async () => {
  const { result } = await visit({
    first: ({ method }, response) => {
      if (method === 'DELETE') response.writeHead(204).end();
      return method === 'DELETE';
    },
  });
  expect(tellLeft(result)).toEqual([expect.stringContaining('since the target still lists what the run deleted')]);
});

test('a target that falls silent while it is tidied up costs no result', async () => {
  let isOver = false;
  const first: Habits['first'] = (_, response) => {
    if (isOver) response.destroy();
    return isOver;
  };
  const { result } = await visit({ first }, { onEvent: ({ type }) => void (isOver ||= type === 'runConcluded') });
  expect(result.summary.passed).toBeGreaterThan(5);
  expect(tellLeft(result)).toEqual([expect.stringContaining('since the target did not remove what the run deleted')]);
});

test('records of which no response shows the key are told as that', async () => {
  const { result } = await visit({ lacks: ['list'], answers: () => ({}) });
  expect(result.leftBehind).toMatchObject([{ why: 'since no response shows the key by which to remove one' }]);
});

test('what is carried out after a run was stopped is removed as well', async () => {
  const stop = new AbortController();
  let posts = 0;
  let carriedOut = (): void => {};
  const late = new Promise<void>((resolve) => (carriedOut = resolve));
  const { url, spec, board } = await startPinboard({
    first: ({ method }, _, { pins, log }) => {
      if (method !== 'POST' || (posts += 1) !== 3) return false;
      const sent = log.at(-1)?.body as Omit<Pin, 'id'>;
      stop.abort('stopped by a test');
      setTimeout(() => {
        pins.push({ ...sent, id: 990 } as Pin);
        carriedOut();
      }, 100);
      return true;
    },
  });
  await runConformance({ target: url, apiKey: 'none', spec, signal: stop.signal });
  await late;
  expect(listLeft(board)).toEqual([]);
});
