import { afterEach, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import { Refusal } from '../../mutation/server/replies.js';
import { startMutationServer, startWith, type MutationServer } from '../../mutation/server/start-server.js';

const servers: MutationServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function run(planted: MutantId[], only: string[]): Promise<RunResult> {
  const server = await startMutationServer({ mutants: planted });
  servers.push(server);
  return runConformance({ target: server.url, apiKey: server.apiKey, settleMs: 0, only });
}

const count = ({ scenarios }: RunResult, prefix: string, verdict: string): number =>
  scenarios.filter((each) => each.id.startsWith(prefix) && each.verdict === verdict).length;

test.each(['create-in-envelope', 'create-null', 'create-not-stored'] as const)(
  'a create that was accepted lets refusals be tried, whatever it answered or became of it: %s',
  async (mutant) => {
    const result = await run([mutant], ['pets/refusals/create']);
    expect(count(result, 'pets/refusals/', 'passed')).toBeGreaterThan(10);
    expect(count(result, 'pets/refusals/', 'inconclusive')).toBe(0);
  },
);

test('nor does an id that is none stop what needs no pet, where no list shows the pet either', async () => {
  const result = await run(['create-id-null', 'list-id-missing'], ['pets/refusals/create']);
  expect(count(result, 'pets/refusals/', 'passed')).toBeGreaterThan(10);
  expect(count(result, '', 'inconclusive')).toBe(0);
});

test.each(['/login', '/v1/pets', '/v1/pets/new', '/v1/owners/7', undefined])(
  'a create that is redirected to %s says nothing of a pet',
  async (location) => {
    const server = await startWith([
      (base) => ({
        intercept: (exchange) =>
          exchange.operation === 'createPet'
            ? { status: 303, headers: location === undefined ? {} : { location }, json: undefined }
            : base.intercept(exchange),
      }),
    ]);
    servers.push(server);
    const { url: target, apiKey } = server;
    const { problems } = await runConformance({ target, apiKey, settleMs: 0, only: ['pets/records/create'] });
    expect(problems.map(({ headline }) => headline)).toEqual(['createPet returns 303 instead of 201']);
  },
);

test.each(['create-accepts-array-body', 'create-accepts-category-past-int64'] as const)(
  'so that another defect is named beside it: %s',
  async (mutant) => {
    const { problems } = await run(['create-in-envelope', mutant], ['pets/refusals/create', 'pets/refusals/odd-body']);
    expect(problems.map(({ headline }) => headline)).toEqual([
      expect.stringMatching(/^createPet wraps the response in `data`/),
      expect.stringMatching(/^createPet accepts /),
    ]);
  },
);

test.each(['nul-cuts-name', 'emoji-in-name-lost', 'percent-in-name-decoded'] as const)(
  'what becomes of an odd name is seen beside a body of which only the first piece is read: %s',
  async (mutant) => {
    const only = ['pets/records/texts', 'pets/sequences/in-pieces', 'pets/sequences/rare-texts'];
    const { problems } = await run(['first-piece-alone-read', mutant], only);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^createPet rejects /),
        expect.stringMatching(/^`name` is not as it was sent/),
      ]),
    );
  },
);

test('a letter that pieces split is seen to be lost, by either of two', async () => {
  const result = await run(['pieces-decoded-apart'], ['pets/records/texts', 'pets/sequences/in-pieces']);
  const steps = result.scenarios.flatMap((scenario) => (scenario.id.includes('/in-pieces') ? scenario.steps : []));
  const lost = steps.filter(({ exchanges }) => exchanges.some(({ findings }) => findings.length > 0));
  expect(lost.map(({ id }) => id)).toEqual(['create', 'get', 'chunks']);
  expect(count(result, 'pets/records/texts', 'deviated')).toBe(0);
});

test('what a wrong answer stopped is said of the problem that stopped it', async () => {
  const { problems } = await run(['create-null', 'create-category-int32'], ['pets/records/wide-numbers']);
  expect(problems.map(({ headline, hides }) => [headline, hides !== undefined])).toEqual([
    [expect.stringMatching(/^`categoryId` is not as it was sent/), false],
    ['createPet returns null, not an object', true],
  ]);
});

test('a create that was refused lets nothing be concluded that rests on it', async () => {
  const server = await startWith([
    () => ({ readNewPet: () => new Refusal(400, 'bad_request', 'No pet is taken.', {}) }),
  ]);
  servers.push(server);
  const options = { target: server.url, apiKey: server.apiKey, settleMs: 0, only: ['pets/refusals/create'] };
  const result = await runConformance(options);
  expect(count(result, 'pets/refusals/', 'deviated')).toBe(0);
  expect(count(result, 'pets/refusals/', 'inconclusive')).toBeGreaterThan(10);
});

test.each(['create-null', 'create-in-envelope', 'create-id-missing', 'create-empty-body', 'create-204'] as const)(
  'a record whose creation does not say which it is, is found by its text, and judged by what was sent: %s',
  async (mutant) => {
    const { problems } = await run([mutant, 'create-category-int32'], ['pets/records/wide-numbers']);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^`categoryId` is not as it was sent/)]),
    );
  },
);

test.each<[MutantId, MutantId, string[], RegExp]>([
  // The largest page is refused: one of any length shows the same.
  ['limit-100-refused', 'filter-ignored', ['pets/lists/*'], /returns records that do not match$/],
  // An item that is no record hides none.
  [
    'list-null-item',
    'keyless-create-leaves-a-draft',
    ['pets/records/list', 'pets/sequences/took-no-key'],
    /rejected record is stored/,
  ],
  // An Error body says what its status does not.
  ['bad-key-200', 'refused-create-still-stored', ['pets/refusals/*'], /rejected record is stored/],
  // Any limit beside a filter breaks it: a list without one shows the same.
  ['limit-with-filter-500', 'filter-ignored-without-limit', ['pets/lists/*'], /returns records that do not match$/],
  // A filter that counts only with a limit is asked with one.
  ['filter-ignored-without-limit', 'filter-empty-204', ['pets/lists/at-start'], /^listPets returns 204 instead of 200/],
])('what %s answers is enough for %s to be named', async (mutant, other, only, headline) => {
  const { problems } = await run([mutant, other], only);
  expect(problems.map((problem) => problem.headline)).toEqual(
    expect.arrayContaining([expect.stringMatching(headline)]),
  );
});

test('nor does what should have been refused, and is in a list, hide what else is wrong with that list', async () => {
  const { problems } = await run(['list-null-item', 'refused-create-still-stored'], ['pets/refusals/*']);
  expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
    expect.stringMatching(/rejected record is stored/),
    'listPets returns a list in which an item is null, not an object',
  ]);
});

test.each(['body-without-last-chunk', 'body-shorter-than-announced'] as const)(
  'answers that are cut off end no run, and what came of them says what else is wrong: %s',
  async (mutant) => {
    const only = ['pets/records/texts', 'pets/records/list', 'pets/refusals/odd-body'];
    const { targetLost, problems } = await run([mutant, 'get-name-differs', 'create-accepts-array-body'], only);
    expect(targetLost).toBe(false);
    expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
      expect.stringMatching(/^`name` is not as it was sent in responses of getPet/),
      expect.stringMatching(/^createPet accepts /),
      expect.stringMatching(/^listPets and getPet give no complete response/),
    ]);
  },
);

test('what is cut off before its end is no other defect: no body that is missing, and no JSON that is malformed', async () => {
  const server = await startWith([
    (base) => ({
      send: (reply, exchange, response) => {
        if (reply.status === 201) return base.send(reply, exchange, response);
        response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': '999' });
        const half = exchange.number % 2 === 0 ? '' : reply.bytes.subarray(0, 9);
        response.write(half, () => response.socket?.destroySoon());
      },
    }),
  ]);
  servers.push(server);
  const options = { target: server.url, apiKey: server.apiKey, settleMs: 0 };
  const { targetLost, problems } = await runConformance({
    ...options,
    only: ['pets/records/get', 'pets/records/list', 'pets/lists/filter-alone'],
  });
  expect({ targetLost, headlines: problems.map(({ headline }) => headline) }).toEqual({
    targetLost: false,
    headlines: [expect.stringMatching(/give no complete response: the connection ended before the body was complete$/)],
  });
});

test('a create with another success is a create, wherever a scenario assumes one', async () => {
  const { problems } = await run(['create-200', 'name-accents-stripped'], ['pets/records/texts']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    expect.stringMatching(/^`name` is not as it was sent in responses of getPet/),
    'createPet returns 200 instead of 201',
  ]);
});

test('what does not build on a list that is refused is asked all the same', async () => {
  const only = ['pets/lists/limit', 'pets/records/odd-key'];
  const { problems } = await run(['limit-below-10-refused', 'get-0-returns-first'], only);
  expect(problems.map(({ headline }) => headline)).toEqual([
    'getPet returns another record than the requested one',
    expect.stringMatching(/^listPets rejects with 400/),
  ]);
});

test('an Error body that lacks a field is asked to repeat the status all the same', async () => {
  const { problems } = await run(['error-message-missing', 'error-status-zero'], ['pets/refusals/credentials[list]']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    expect.stringMatching(/^The Error body lacks `message`/),
    expect.stringMatching(/^`status` in the Error body is 0/),
  ]);
});

test('a status that one operation shows wrong is told, though the whole list is refused', async () => {
  const only = ['pets/records/values', 'pets/records/list'];
  const { problems } = await run(['filter-required', 'created-sold-fetched-available'], only);
  expect(problems.map(({ headline }) => headline)).toEqual([
    expect.stringMatching(/^`status` is not as it was sent in responses of getPet/),
    expect.stringMatching(/^listPets rejects with 400/),
  ]);
});

test.each<[MutantId, MutantId, string[], RegExp]>([
  ['body-after-guard', 'null-as-key-accepted', ['pets/refusals/credential-forms'], /with the word null for a key$/],
  [
    'body-after-guard',
    'get-ignores-sign',
    ['pets/records/created-alone', 'pets/records/odd-key'],
    /^getPet returns another record than the requested one$/,
  ],
])('the keys in what is no JSON let more be asked: %s beside %s', async (form, mutant, only, headline) => {
  const { problems } = await run([form, mutant], only);
  expect(problems.map((problem) => problem.headline)).toEqual([
    expect.stringMatching(headline),
    expect.stringMatching(/are not JSON/),
  ]);
});

test('a create that fails now and then is told, and tried again, so that it hides nothing of what builds on it', async () => {
  let creates = 0;
  const server = await startWith([
    (base) => ({
      intercept: (exchange) =>
        exchange.operation === 'createPet' && base.hasValidKey(exchange) && ++creates === 1
          ? new Refusal(500, 'internal', 'It failed.', {})
          : base.intercept(exchange),
    }),
    mutants['create-accepts-array-body'].change,
  ]);
  servers.push(server);
  const options = { target: server.url, apiKey: server.apiKey, settleMs: 0 };
  const { problems } = await runConformance({ ...options, only: ['pets/records/create', 'pets/refusals/odd-body'] });
  expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
    expect.stringMatching(/^createPet accepts /),
    expect.stringMatching(/^createPet fails with 500/),
  ]);
});
