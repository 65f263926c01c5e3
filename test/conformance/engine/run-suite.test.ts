import type { JsonValue } from '../../mutation/server/exact-json.js';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunEvent, ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import { Refusal } from '../../mutation/server/replies.js';
import { startWith, type MutationServer } from '../../mutation/server/start-server.js';
import { record } from '../support/changes.js';
import { makeFolder } from '../../support/folder.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const step = (id: string, limit: number, status = 200): string =>
  `{ id: ${id}, operationId: listPets, parameters: { limit: ${limit} }, expect: { status: ${status} } }`;

const CREATE = `{ id: a, operationId: createPet, requestBody: { json: { name: '{$unique}', categoryId: 1 } }, expect: { status: 201 } }`;

const OWN = `scenarios:
  - { id: first, title: t, basis: '#/paths/~1pets/get', steps: [${step('a', 1)}, ${step('b', 2)}] }
  - { id: failing, title: t, basis: '#/paths/~1pets/get', steps: [${step('a', 3, 404)}, ${step('b', 4)}] }
  - { id: failing-early, title: t, basis: '#/paths/~1pets/get', steps: [${step('a', 3, 404)}, { id: b, operationId: listPets, parameters: { limit: 8 }, expect: { status: 200, records: { has: [{ key: '$steps.a.response.body#/0/id' }] } } }] }
  - { id: on-first, title: t, basis: '#/paths/~1pets/get', dependsOn: [own/first], steps: [${step('a', 5)}] }
  - { id: on-failing, title: t, basis: '#/paths/~1pets/get', dependsOn: [own/failing], steps: [${step('a', 6)}] }
  - { id: after-failing, title: t, basis: '#/paths/~1pets/get', after: [own/failing], steps: [${step('a', 7)}] }
  - { id: assuming, title: t, basis: '#/paths/~1pets/get', steps: [{ id: a, operationId: listPets, assume: { body: { minItems: 5000 }, otherwise: five thousand are needed } }] }
  - { id: creating, title: t, basis: '#/paths/~1pets/get', steps: [${CREATE}] }
`;

async function run(
  { scenarioText = OWN, ...options }: Partial<ConformanceOptions> & { scenarioText?: string } = {},
  ...changes: Change[]
): Promise<{ result: RunResult; verdicts: Record<string, string>; log: Exchange[] }> {
  const log: Exchange[] = [];
  const server = await startWith([record(log), ...changes]);
  servers.push(server);
  const folder = makeFolder({ 'own.yaml': scenarioText });
  const { url, apiKey } = server;
  const result = await runConformance({
    target: url,
    apiKey,
    scenarios: [folder],
    only: ['own/*'],
    concurrency: 1,
    settleMs: 0,
    ...options,
  });
  const verdicts = Object.fromEntries(result.scenarios.map(({ id, verdict }) => [id.replace('own/', ''), verdict]));
  return { result, verdicts, log };
}

test('the scenarios of the first tier start first, then those without one, then those that observe', async () => {
  const started: string[] = [];
  const onEvent = (event: RunEvent): void => void (event.type === 'scenarioStarted' && started.push(event.id));
  const only = ['own/first', 'pets/refusals/malformed', 'petstore/unknown-category'];
  await run({ only, onEvent });
  const asked = started.filter((id) => only.includes(id));
  expect(asked).toEqual(['pets/refusals/malformed', 'own/first', 'petstore/unknown-category']);
});

test('each scenario comes to its verdict', async () => {
  const { verdicts, result } = await run();
  expect(verdicts).toEqual({
    first: 'passed',
    failing: 'deviated',
    'failing-early': 'deviated',
    'on-first': 'passed',
    'on-failing': 'inconclusive',
    'after-failing': 'passed',
    assuming: 'inconclusive',
    creating: 'passed',
  });
  const reasons = Object.fromEntries(result.scenarios.map(({ id, reason }) => [id, reason]));
  expect(reasons['own/on-failing']).toBe('it depends on own/failing, which was inconclusive');
  expect(reasons['own/assuming']).toBe('five thousand are needed');
});

test('what builds on a scenario that was left out is left out too', async () => {
  const onCreating = `  - { id: on-creating, title: t, basis: '#/paths/~1pets/get', dependsOn: [own/creating], steps: [${step('a', 9)}] }\n`;
  const { result } = await run({ scenarioText: `${OWN}${onCreating}`, readOnly: true });
  const reasons = new Map(result.scenarios.map(({ id, verdict, reason }) => [id, `${verdict}: ${reason}`]));
  expect(reasons.get('own/on-creating')).toBe('skipped: it depends on own/creating, which was skipped');
});

test('the summary counts verdicts, requests and what was created', async () => {
  const { result, log } = await run();
  expect(result.summary).toEqual({
    problems: 1,
    passed: 4,
    deviated: 2,
    known: 0,
    observed: 0,
    inconclusive: 2,
    skipped: 0,
    requests: log.length,
    created: 1,
    createdOf: [{ one: 'pet', many: 'pets', count: 1 }],
  });
});

test('a step that fails ends its scenario where later ones take something from its answer, and there alone', async () => {
  const limits = (await run()).log.map(({ query }) => query.get('limit'));
  expect(limits).toContain('4');
  expect(limits).not.toContain('8');
});

test('results stand in the order of the files, whatever runs first', async () => {
  const [one, many] = [await run({ concurrency: 1 }), await run({ concurrency: 8 })];
  expect(many.result.scenarios.map(({ id }) => id)).toEqual(one.result.scenarios.map(({ id }) => id));
  expect(many.verdicts).toEqual(one.verdicts);
});

test('no more scenarios run at a time than --concurrency says', async () => {
  let [underWay, most, asked] = [0, 0, 0];
  const haveMet = (): boolean => most > 1;
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const slow: Change = () => ({
    intercept: async () => {
      most = Math.max(most, ++underWay);
      // The first look at the target is alone; after it, one waits for another, and both for what should not come.
      const isAlone = asked++ < 2;
      if (!isAlone) while (!haveMet()) await nextTurn();
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      underWay -= 1;
      return undefined;
    },
  });
  await run({ concurrency: 2 }, slow);
  expect(most).toBe(2);
});

test('read-only leaves out what would send a POST', async () => {
  const { verdicts, log } = await run({ readOnly: true });
  expect(verdicts['creating']).toBe('skipped');
  expect(log.every(({ method }) => method === 'GET')).toBe(true);
});

test('bail leaves out what comes after the first deviation', async () => {
  const { verdicts } = await run({ bail: true });
  expect(verdicts).toMatchObject({ first: 'passed', failing: 'deviated', 'on-first': 'skipped', creating: 'skipped' });
});

test('events tell everything, in order', async () => {
  const events: RunEvent[] = [];
  const { result } = await run({ onEvent: (event) => events.push(event) });
  expect(events[0]).toMatchObject({ type: 'runStarted', scenarios: 8 });
  expect(events.at(-1)).toEqual({ type: 'runFinished', result });
  const finished = events.filter((event) => event.type === 'scenarioFinished');
  expect(finished.map(({ done, of }) => [done, of])).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((done) => [done, 8]));
  for (const { result: each } of finished) {
    const started = events.findIndex((event) => event.type === 'scenarioStarted' && event.id === each.id);
    const ended = events.findIndex((event) => event.type === 'scenarioFinished' && event.result.id === each.id);
    expect(started).toBeLessThan(ended);
  }
});

describe('a run that ends early', () => {
  test('has every scenario in its result, and accuses nobody', async () => {
    const stop = new AbortController();
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'scenarioFinished') stop.abort();
    };
    const { result, verdicts } = await run({ signal: stop.signal, onEvent });
    expect(result).toMatchObject({ interrupted: true, summary: { deviated: 0 } });
    expect(Object.keys(verdicts)).toHaveLength(8);
    expect(verdicts['creating']).toBe('inconclusive');
  });

  test('because its time is over says so, and accuses nobody', async () => {
    let asked = 0;
    const { result, verdicts } = await run({ maxTimeMs: 3000, concurrency: 8 }, (base) => ({
      // The first look at the target is answered; what is asked after it never is.
      send: (reply, exchange, response) => (asked++ > 0 ? undefined : base.send(reply, exchange, response)),
    }));
    expect(result).toMatchObject({ outOfTime: true, targetLost: false, interrupted: false, summary: { deviated: 0 } });
    expect(Object.keys(verdicts)).toHaveLength(8);
    expect(result.notes).toEqual(['the run ended early: the time of the run was over (--max-time 3)']);
    expect(result.scenarios.map(({ reason }) => reason)).toContain('the time of the run was over (--max-time 3)');
  });

  test.each([
    ['always asks to wait', { 'retry-after': '30' }],
    ['always says 429', {}],
  ])('ends in time against a target that %s, with a report', async (_, headers) => {
    let asked = 0;
    const waits: number[] = [];
    const onEvent = (event: RunEvent): void => void (event.type === 'waiting' && waits.push(event.ms));
    const { result, verdicts, log } = await run({ maxTimeMs: 3000, onEvent }, () => ({
      // The first look is answered; otherwise, the target cannot be tested.
      intercept: () => (asked++ < 2 ? undefined : new Refusal(429, 'too_many', 'Too many requests.', headers)),
    }));
    expect(waits.filter((ms) => ms > 3000)).toEqual([]);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['inconclusive']));
    expect(result.summary.inconclusive).toBe(8);
    expect(log.length).toBeLessThan(20);
  });

  test('because the target puts off even the first look says so, and listeners have the result', async () => {
    const events: RunEvent[] = [];
    const running = run({ maxTimeMs: 1500, onEvent: (event) => events.push(event) }, () => ({
      intercept: () => new Refusal(429, 'too_many', 'Too many requests.', {}),
    }));
    await expect(running).rejects.toThrow(/cannot be tested: it responds with 429 to every request\.$/);
    expect(events.at(-1)).toMatchObject({ result: { targetLost: true, summary: { inconclusive: 8 } } });
  });

  test('because the target is gone says so, after five requests', async () => {
    let requests = 0;
    const { result, log } = await run({}, () => ({
      send: (_reply, _exchange, response) => {
        if (++requests > 2) response.destroy();
        else response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      },
    }));
    expect(result.targetLost).toBe(true);
    expect(result.notes).toEqual(expect.arrayContaining([expect.stringContaining('the run ended early')]));
    expect(result.lostBecause).toBe('the target stopped responding');
    expect(log.length).toBeLessThan(25);
  });

  test('because no response comes whole says why, not that none came', async () => {
    let requests = 0;
    const { result } = await run({}, () => ({
      send: (_reply, _exchange, response) => {
        const body = ++requests > 2 ? ' '.repeat(8 * 1024 * 1024 + 1) : '[]';
        response.writeHead(200, { 'content-type': 'application/json' }).end(body);
      },
    }));
    expect(result.targetLost).toBe(true);
    expect(result.lostBecause).toMatch(/^no response of the target was complete: the body is longer than/);
  });
});

describe('a scenario that needs records in an empty collection', () => {
  const rule = 'records: { moreThan: 49 }';

  async function countLists(words: string, verdict: string): Promise<number> {
    const list = `{ id: list, operationId: listPets, parameters: { limit: 77 }, ${words} }`;
    const scenarioText = `scenarios:\n  - { id: waiting, title: t, basis: '#/paths/~1pets/get', steps: [${CREATE}, ${list}] }\n`;
    const { verdicts, log } = await run({ scenarioText, settleMs: 200 }, () => ({ seed: () => [] }));
    expect(verdicts).toEqual({ waiting: verdict });
    return log.filter(({ operation, query }) => operation === 'listPets' && query.get('limit') === '77').length;
  }

  test('does not wait for what it assumes, which may never be so', async () =>
    expect(await countLists(`assume: { ${rule}, otherwise: records are needed }`, 'inconclusive')).toBe(1));

  test('waits for what it expects', async () =>
    expect(await countLists(`expect: { ${rule} }`, 'deviated')).toBeGreaterThan(1));
});

test('what one round found is forgotten when the next one ends before it can find it', async () => {
  const folder = makeFolder();
  const own = `scenarios:
  - id: rounds
    title: t
    basis: '#/paths/~1pets/get'
    steps:
      - { id: before, operationId: listPets, parameters: { limit: 7 }, assume: { body: { minItems: 1 }, otherwise: it needs a pet } }
      - { id: after, operationId: listPets, parameters: { limit: 8 }, expect: { records: { moreThan: 0 } }, retryFrom: before, rounds: 3 }
`;
  writeFileSync(join(folder, 'own.yaml'), own);
  const judge = async (roundsWithPets: number): Promise<unknown> => {
    let asked = 0;
    const { verdicts } = await run({ scenarios: [folder], settleMs: 200 }, (base) => ({
      shape: (reply, exchange) => {
        const limit = exchange.query.get('limit');
        const isEmpty = limit === '8' || (limit === '7' && ++asked > roundsWithPets);
        return isEmpty ? { status: 200, headers: {}, json: [] } : base.shape(reply, exchange);
      },
    }));
    return verdicts;
  };
  expect(await judge(1)).toEqual({ rounds: 'inconclusive' });
  expect(await judge(3)).toEqual({ rounds: 'deviated' });
});

test('what builds on a scenario without a conclusion says what that one lacked, however far it is away', async () => {
  const more = ['a', 'b', 'c'].map(
    (id, index, all) =>
      `  - { id: ${id}, title: t, basis: '#/paths/~1pets/post', dependsOn: [${index === 0 ? '' : `own/${all[index - 1]}`}], steps: [${CREATE}] }`,
  );
  const { result } = await run({ scenarioText: `scenarios:\n${more.join('\n')}\n`, maxCreates: 0 });
  const [first, ...others] = result.scenarios.map(({ reason }) => reason);
  expect(first).toMatch(/^the run has reached its limit of created records; raise it with --max-creates \d+$/);
  expect(others).toEqual(['a', 'b'].map((id) => `it depends on own/${id}: ${first}`));
});

test('what builds on a scenario that deviated, and what builds on that, does not say more than that', async () => {
  const more = `scenarios:
  - { id: a, title: t, basis: '#/paths/~1pets/get', steps: [${step('a', 3, 404)}] }
  - { id: b, title: t, basis: '#/paths/~1pets/get', dependsOn: [own/a], steps: [${step('a', 4)}] }
  - { id: c, title: t, basis: '#/paths/~1pets/get', dependsOn: [own/b], steps: [${step('a', 5)}] }
`;
  const { result } = await run({ scenarioText: more });
  expect(result.scenarios.map(({ reason }) => reason)).toEqual([
    undefined,
    ...['a', 'b'].map((id) => `it depends on own/${id}, which was inconclusive`),
  ]);
});

test('of a key that stands in a file, the result says that it was given; of one that an answer had, it does not', async () => {
  const get = (id: string, key: string): string =>
    `{ id: ${id}, operationId: getPet, parameters: { petId: ${key} }, expect: { status: [200, 404] } }`;
  const steps = [step('list', 1), get('literal', '7'), get('seen', "'$steps.list.response.body#/0/id'")].join(', ');
  const scenarioText = `scenarios:\n  - { id: keys, title: t, basis: '#/paths/~1pets/get', steps: [${steps}] }\n`;
  const { result } = await run({ scenarioText });
  expect(result.scenarios[0]?.steps.map(({ id, asks }) => [id, asks])).toEqual([
    ['list', undefined],
    ['literal', 'given'],
    ['seen', undefined],
  ]);
  expect(result.scenarios[0]?.about).toEqual({ resource: 'pets', key: 'id', scenario: 'own/keys' });
});

test('a filter that shows what the run has not changed is not waited for, unless the step says so', async () => {
  const judge = async (retry: string): Promise<unknown> => {
    const list = `{ id: list, operationId: listPets, parameters: { status: sold, limit: 88 }, expect: { records: { every: { status: sold } } }${retry} }`;
    const scenarioText = `scenarios:\n  - { id: sold, title: t, basis: '#/paths/~1pets/get', steps: [${list}] }\n`;
    const pending: JsonValue = { id: 1n, name: 'Rex', categoryId: 1n, status: 'pending' };
    let asked = 0;
    const { verdicts } = await run({ scenarioText, settleMs: 300 }, (base) => ({
      shape: (reply, exchange) => {
        if (exchange.query.get('limit') !== '88' || (asked += 1) > 1) return base.shape(reply, exchange);
        return { status: 200, headers: {}, json: [pending] };
      },
    }));
    return verdicts;
  };
  expect(await judge('')).toEqual({ sold: 'deviated' });
  expect(await judge(', retryFrom: list')).toEqual({ sold: 'passed' });
});
