import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { chooseNext } from '../../../src/conformance/engine/run-suite.js';
import type { RunEvent, ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import type { Scenario } from '../../../src/conformance/model/scenario.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import type { JsonValue } from '../../mutation/server/exact-json.js';
import { Refusal } from '../../mutation/server/replies.js';
import { makeFile } from '../../support/folder.js';
import { runPets } from '../support/ask.js';
import { record } from '../support/changes.js';

const list = (id: string, limit: number, rest = 'expect: { status: 200 }'): string =>
  `{ id: ${id}, operationId: listPets, parameters: { limit: ${limit} }, ${rest} }`;
const FAILS = 'expect: { status: 404 }';
const CREATE = `{ id: a, operationId: createPet, requestBody: { json: { name: '{$unique}', categoryId: 1 } }, expect: { status: 201 } }`;
const KEY_OF_A = `expect: { status: 200, records: { has: [{ key: '$steps.a.response.body#/0/id' }] } }`;
const ASSUMED = 'assume: { body: { minItems: 5000 }, otherwise: five thousand are needed }';

/** Scenarios of a file, each with its steps and what it has beside them. */
const write = (scenarios: Record<string, [steps: string[], more?: string]>): string =>
  `scenarios:\n${Object.entries(scenarios)
    .map(
      ([id, [steps, more = '']]) =>
        `  - { id: ${id}, title: t, basis: '#/paths/~1pets/get', ${more}steps: [${steps.join(', ')}] }\n`,
    )
    .join('')}`;

const OWN = {
  first: [[list('a', 1), list('b', 2)]],
  failing: [[list('a', 3, FAILS), list('b', 4)]],
  'failing-early': [[list('a', 3, FAILS), list('b', 8, KEY_OF_A)]],
  'on-first': [[list('a', 5)], 'dependsOn: [own/first], '],
  'on-failing': [[list('a', 6)], 'dependsOn: [own/failing], '],
  'after-failing': [[list('a', 7)], 'after: [own/failing], '],
  assuming: [[list('a', 100, ASSUMED)]],
  creating: [[CREATE]],
} satisfies Parameters<typeof write>[0];

interface Ran {
  result: RunResult;
  verdicts: Record<string, string>;
  reasons: Record<string, string | undefined>;
  log: Exchange[];
}

async function run(
  { own = OWN, ...options }: Partial<ConformanceOptions> & { own?: Parameters<typeof write>[0] } = {},
  ...changes: Change[]
): Promise<Ran> {
  const log: Exchange[] = [];
  const scenarios = [makeFile('own.yaml', write(own))];
  const more = { scenarios, only: ['own/*'], concurrency: 1, ...options };
  const result = await runPets([record(log), ...changes], more);
  const named = result.scenarios.map(({ id, verdict, reason }) => [id.replace('own/', ''), verdict, reason] as const);
  return {
    result,
    verdicts: Object.fromEntries(named),
    reasons: Object.fromEntries(named.map(([id, , reason]) => [id, reason])),
    log,
  };
}

test('the scenarios of the first tier start first, then those without one, then those that observe', async () => {
  const started: string[] = [];
  const onEvent = (event: RunEvent): void => void (event.type === 'scenarioStarted' && started.push(event.id));
  const only = ['own/first', 'pets/refusals/malformed', 'petstore/unknown-category'];
  await run({ only, onEvent });
  const asked = started.filter((id) => only.includes(id));
  expect(asked).toEqual(['pets/refusals/malformed', 'own/first', 'petstore/unknown-category']);
});

describe('a run of one scenario at a time', () => {
  const events: RunEvent[] = [];
  let ran: Ran;
  beforeAll(async () => {
    ran = await run({ onEvent: (event) => events.push(event) });
  });

  test('has a verdict for each, and a reason for what is not concluded', () => {
    expect(ran.verdicts).toEqual({
      first: 'passed',
      failing: 'deviated',
      'failing-early': 'deviated',
      'on-first': 'passed',
      'on-failing': 'inconclusive',
      'after-failing': 'passed',
      assuming: 'inconclusive',
      creating: 'passed',
    });
    expect(ran.reasons['on-failing']).toBe('it depends on own/failing, which was inconclusive');
    expect(ran.reasons['assuming']).toBe('five thousand are needed');
  });

  test('counts verdicts, requests and what was created', () => {
    const created = { created: 1, createdOf: [{ one: 'pet', many: 'pets', count: 1 }] };
    const counts = { problems: 1, passed: 4, deviated: 2, known: 0, observed: 0, inconclusive: 2, skipped: 0 };
    expect(ran.result.summary).toEqual({ ...counts, requests: ran.log.length, ...created });
  });

  test('ends a scenario at a step that fails where later ones take something from its answer, and there alone', () => {
    const limits = ran.log.map(({ query }) => query.get('limit'));
    expect(limits).toContain('4');
    expect(limits).not.toContain('8');
  });

  test('tells everything by events, in order', () => {
    expect(events[0]).toMatchObject({ type: 'runStarted', scenarios: 8 });
    expect(events.at(-1)).toEqual({ type: 'runFinished', result: ran.result });
    const finished = events.filter((event) => event.type === 'scenarioFinished');
    expect(finished.map(({ done, of }) => [done, of])).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((done) => [done, 8]));
    for (const each of finished) {
      const started = events.findIndex((event) => event.type === 'scenarioStarted' && event.id === each.result.id);
      expect([started >= 0, started < events.indexOf(each)]).toEqual([true, true]);
    }
  });

  test('has the results of one that runs eight at a time, in the order of the file', async () => {
    const { result, verdicts } = await run({ concurrency: 8 });
    expect(result.scenarios.map(({ id }) => id)).toEqual(ran.result.scenarios.map(({ id }) => id));
    expect(verdicts).toEqual(ran.verdicts);
  });
});

test('read-only leaves out what would send a POST, and what builds on it', async () => {
  const own = { ...OWN, 'on-creating': [[list('a', 9)], 'dependsOn: [own/creating], '] satisfies [string[], string] };
  const { verdicts, reasons, log } = await run({ own, readOnly: true });
  expect(verdicts).toMatchObject({ creating: 'skipped', 'on-creating': 'skipped' });
  expect(reasons['on-creating']).toBe('it depends on own/creating, which was skipped');
  expect(log.every(({ method }) => method === 'GET')).toBe(true);
});

test('bail leaves out what comes after the first deviation', async () => {
  const { verdicts } = await run({ bail: true });
  expect(verdicts).toMatchObject({ first: 'passed', failing: 'deviated', 'on-first': 'skipped', creating: 'skipped' });
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

describe('what starts next', () => {
  const make = (id: string, alone = false): Scenario => ({ id, alone }) as Scenario;
  const [a, b, c, alone] = [make('a'), make('b'), make('c'), make('alone', true)];

  test.each<[string, ready: Scenario[], running: Scenario[], started: string[]]>([
    ['as many as may run at a time, in their order', [a, b, c], [], ['a', 'b']],
    ['as many as are left beside those that run', [b, c], [a], ['b']],
    ['none while as many run', [c], [a, b], []],
    ['none that overtakes one that runs alone', [a, alone, b], [], ['a']],
    ['not what runs alone while something runs', [alone, b], [a], []],
    ['what runs alone once nothing runs', [alone, b], [], ['alone']],
    ['nothing beside it', [a, b], [alone], []],
  ])('is %s', (_, ready, running, started) => {
    const chosen = chooseNext(ready, { running: new Set(running), concurrency: 2 });
    expect(chosen.map(({ id }) => id)).toEqual(started);
  });
});

const LATER = new Refusal(429, 'too_many', 'Too many requests.', { 'retry-after': '120' });

/** Ends the time that something of this length has, when it is called: no test waits for it. */
function holdTime(maxTimeMs: number): () => void {
  let end = (): void => {};
  const set = globalThis.setTimeout;
  const held = (act: () => void, ms?: number, ...rest: []): NodeJS.Timeout => {
    if (ms === maxTimeMs) end = act;
    return set(ms === maxTimeMs ? () => {} : act, ms === maxTimeMs ? 0 : ms, ...rest);
  };
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(held);
  onTestFinished(() => spy.mockRestore());
  return () => end();
}

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
    const endTime = holdTime(3_600_000);
    const { result, verdicts, reasons } = await run({ maxTimeMs: 3_600_000, concurrency: 8 }, (base) => ({
      // The first look at the target is answered; what is asked after it never is.
      send: (reply, exchange, response) => (asked++ > 0 ? endTime() : base.send(reply, exchange, response)),
    }));
    expect(result).toMatchObject({ outOfTime: true, targetLost: false, interrupted: false, summary: { deviated: 0 } });
    expect(Object.keys(verdicts)).toHaveLength(8);
    expect(result.notes).toEqual(['the run ended early: the time of the run was over (--max-time 3600)']);
    expect(Object.values(reasons)).toContain('the time of the run was over (--max-time 3600)');
  });

  test('because a target always asks to wait for longer has a report, and gives up cleaning up', async () => {
    let asked = 0;
    let isConcluded = false;
    const waits: number[] = [];
    const endCleanup = holdTime(60_000);
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'waiting') waits.push(event.ms);
      if (event.type === 'runConcluded') isConcluded = true;
    };
    const { result, verdicts, log } = await run({ maxTimeMs: 50_000, onEvent }, () => ({
      intercept: () => {
        if (isConcluded) endCleanup();
        // The first look is answered; otherwise, the target cannot be tested.
        return asked++ < 2 ? undefined : LATER;
      },
    }));
    expect(waits.filter((ms) => ms > 50_000)).toEqual([]);
    expect(new Set(Object.values(verdicts))).toEqual(new Set(['inconclusive']));
    expect(result.summary.inconclusive).toBe(8);
    expect(log.length).toBeLessThan(20);
  });

  test('because the target puts off even the first look says so, and listeners have the result', async () => {
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent): void => void events.push(event);
    const running = run({ maxTimeMs: 60_000, onEvent }, () => ({ intercept: () => LATER }));
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

test.each([
  ['does not wait for what it assumes, which may never be so', 'assume: { RULE, otherwise: more }', 'inconclusive'],
  ['waits for what it expects', 'expect: { RULE }', 'deviated'],
])('a scenario that needs records in an empty collection %s', async (_, words, verdict) => {
  const steps = [CREATE, list('list', 77, words.replace('RULE', 'records: { moreThan: 49 }'))];
  const { verdicts, log } = await run({ own: { waiting: [steps] }, settleMs: 200 }, () => ({ seed: () => [] }));
  expect(verdicts).toEqual({ waiting: verdict });
  const lists = log.filter(({ query }) => query.get('limit') === '77');
  expect(lists.length > 1).toBe(verdict === 'deviated');
});

test('what one round found is forgotten when the next one ends before it can find it', async () => {
  const before = 'assume: { body: { minItems: 1 }, otherwise: it needs a pet }';
  const after = 'expect: { records: { moreThan: 0 } }, retryFrom: before, rounds: 3';
  const judge = async (roundsWithPets: number): Promise<unknown> => {
    let asked = 0;
    const own = { rounds: [[list('before', 7, before), list('after', 8, after)]] satisfies [string[]] };
    const { verdicts } = await run({ own, settleMs: 200 }, (base) => ({
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

/** Three scenarios, each of which builds on the one before it. */
const chain = (first: string, others: string): Parameters<typeof write>[0] => ({
  a: [[first]],
  b: [[others], 'dependsOn: [own/a], '],
  c: [[others], 'dependsOn: [own/b], '],
});

test('what builds on a scenario without a conclusion says what that one lacked, however far it is away', async () => {
  const { reasons } = await run({ own: chain(CREATE, CREATE), maxCreates: 0 });
  const { a = '' } = reasons;
  expect(a).toMatch(/^the run has reached its limit of created records; raise it with --max-creates \d+$/);
  expect(reasons).toEqual({ a, b: `it depends on own/a: ${a}`, c: `it depends on own/b: ${a}` });
});

test('what builds on a scenario that deviated, and what builds on that, does not say more than that', async () => {
  const { reasons } = await run({ own: chain(list('a', 3, FAILS), list('a', 4)) });
  const [b, c] = ['a', 'b'].map((id) => `it depends on own/${id}, which was inconclusive`);
  expect(reasons).toEqual({ a: undefined, b, c });
});

test('of a key that stands in a file, the result says that it was given; of one that an answer had, it does not', async () => {
  const get = (id: string, key: string): string =>
    `{ id: ${id}, operationId: getPet, parameters: { petId: ${key} }, expect: { status: [200, 404] } }`;
  const steps = [list('list', 1), get('literal', '7'), get('seen', "'$steps.list.response.body#/0/id'")];
  const [keys] = (await run({ own: { keys: [steps] } })).result.scenarios;
  expect(keys?.steps.map(({ asks }) => asks)).toEqual([undefined, 'given', undefined]);
  expect(keys?.about).toEqual({ resource: 'pets', key: 'id', scenario: 'own/keys' });
});

test.each([
  ['not waited for', '', 'deviated'],
  ['waited for where the step says so', ', retryFrom: list', 'passed'],
])('a filter that shows what the run has not changed is %s', async (_, retry, verdict) => {
  const sold = `{ id: list, operationId: listPets, parameters: { status: sold, limit: 88 }, expect: { records: { every: { status: sold } } }${retry} }`;
  const pending: JsonValue = { id: 1n, name: 'Rex', categoryId: 1n, status: 'pending' };
  let asked = 0;
  const { verdicts } = await run({ own: { sold: [[sold]] }, settleMs: 300 }, (base) => ({
    shape: (reply, exchange) => {
      if (exchange.query.get('limit') !== '88' || (asked += 1) > 1) return base.shape(reply, exchange);
      return { status: 200, headers: {}, json: [pending] };
    },
  }));
  expect(verdicts).toEqual({ sold: verdict });
});
