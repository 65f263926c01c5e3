import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBatchedOutput, createJsonFormatter, createPrettyFormatter } from '../../../src/cli/mock/exchange-log.js';
import { createRequestRedactor } from '../../../src/redact/redactor.js';
import type { RecordedExchange } from '../../../src/mock/world/journal.js';

const exchange: RecordedExchange = {
  world: 'default',
  time: new Date(2026, 0, 2, 3, 4, 5).getTime(),
  duration: 1.26,
  method: 'GET',
  url: '/v1/pets?limit=0',
  status: 400,
  operationId: 'listPets',
  atFault: 'client',
  reason: 'query/limit must be at least 1, but is 0',
  violations: [],
  notes: [],
  faults: [],
  crash: undefined,
};
const redact = createRequestRedactor([]);

function pretty(change: Partial<RecordedExchange>, options: { width?: number; color?: boolean } = {}): string {
  const format = createPrettyFormatter({ color: options.color ?? false, redact, width: () => options.width });
  return format({ ...exchange, ...change });
}

describe('a pretty line', () => {
  test('has everything in one line, however long, when no terminal reads', () => {
    expect(pretty({})).toBe(
      '03:04:05  GET   /v1/pets?limit=0  400  1.3 ms  listPets  client: query/limit must be at least 1, but is 0',
    );
  });

  test('moves the reason below and breaks it between words on a narrow terminal', () => {
    expect(pretty({}, { width: 60 }).split('\n')).toEqual([
      '03:04:05  GET   /v1/pets?limit=0  400  1.3 ms  listPets',
      '          client: query/limit must be at least 1, but is 0',
    ]);
    expect(pretty({}, { width: 40 }).split('\n').slice(1)).toEqual([
      '          client: query/limit must be at',
      '          least 1, but is 0',
    ]);
  });

  test('takes the middle out of a URL that does not fit', () => {
    const line = pretty({ url: `/v1/pets?x=${'y'.repeat(200)}`, reason: undefined, atFault: undefined }, { width: 80 });
    expect(line).toHaveLength(80);
    expect(line).toContain('/v1/pets?x=');
    expect(line).toContain('…');
  });

  test('says whose fault it is when the mock is at fault, in red', () => {
    expect(pretty({ atFault: 'mock', status: 500, reason: 'a bug' }, { color: true })).toContain(
      '\u001B[1m\u001B[31mmock: a bug',
    );
  });

  test('shows a crash with its stack', () => {
    expect(pretty({ crash: new Error('boom') })).toContain('\nError: boom\n    at ');
  });
});

test('what a terminal would act on is spelled out, and in JSON means the same', () => {
  const reason = 'a\u001B[2Jb\u009Bc\u202Ed\re\nf';
  expect(pretty({ reason })).toContain(String.raw`a\u001b[2Jb\u009bc\u202ed\u000de\u000af`);
  const line = createJsonFormatter({ redact })({ ...exchange, reason });
  expect(line).toContain(String.raw`a\u001b[2Jb\u009bc\u202ed`);
  expect(JSON.parse(line)).toMatchObject({ event: 'exchange', durationMs: 1.26, reason });
});

test.each(['##vso[task.setvariable variable=x]y', '##[error]x', '::set-output name=a::b', '\u009B2J\u202E'])(
  'a client that sends %j commands no log of a CI job',
  (command) => {
    const change = { url: `/v1/${command}`, reason: command, notes: [command], world: 'a' };
    const json = createJsonFormatter({ redact })({ ...exchange, ...change });
    for (const line of [pretty(change), pretty(change, { width: 40 }), json]) {
      expect(line).not.toMatch(/##[\w.-]*\[|(?:^|\s)::[a-z]|[\u007F-\u009F\u202E]/m);
    }
    expect(JSON.parse(json)).toMatchObject({ ...change, notes: [command] });
  },
);

test('a JSON line has no key, however it was sent, and stays JSON', () => {
  const key = 'S3cret"Key\\42';
  const json = createJsonFormatter({ redact: createRequestRedactor([key]) });
  const url = `/v1/pets?limit=${encodeURIComponent(key)}`;
  expect(JSON.parse(json({ ...exchange, url, reason: `it is ${key}`, world: key }))).toMatchObject({
    url: '/v1/pets?limit=[redacted]',
    reason: 'it is [redacted]',
    world: '[redacted]',
  });
});
test('the lines of one turn are written together, in their order, or at once when it ends', async () => {
  const written: string[] = [];
  const output = createBatchedOutput((text) => written.push(text));
  output.add('one');
  output.add('two');
  expect(written).toEqual([]);
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n']);
  output.add('three');
  await nextTurn();
  expect(written).toEqual(['one\ntwo\n', 'three\n']);
  output.add('last words');
  output.flush();
  output.flush();
  await nextTurn();
  expect(written.slice(2)).toEqual(['last words\n']);
});
