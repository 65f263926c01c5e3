import { afterEach, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import type { Change } from '../../mutation/server/behaviour.js';
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

function count({ scenarios }: RunResult, prefix: string, verdict: string): number {
  return scenarios.filter((each) => each.id.startsWith(prefix) && each.verdict === verdict).length;
}

test.each(['create-in-envelope', 'create-null', 'create-not-stored'] as const)(
  'a create that was accepted lets refusals be tried, whatever it answered or became of it: %s',
  async (mutant) => {
    const result = await run([mutant], ['create-invalid/shape', 'create-invalid/digits']);
    expect(count(result, 'create-invalid/', 'passed')).toBeGreaterThan(10);
    expect(count(result, 'create-invalid/', 'inconclusive')).toBe(0);
  },
);

test('nor does an id that is none stop what needs no pet, where no list shows the pet either', async () => {
  const result = await run(['create-id-null', 'list-id-missing'], ['create-invalid/shape']);
  expect(count(result, 'create-invalid/', 'passed')).toBeGreaterThan(5);
  expect(count(result, '', 'inconclusive')).toBe(0);
});

test.each(['create-303', 'create-204', 'create-empty-body'] as const)(
  'a pet is lost that is in no list although an answer without an id said it was created: %s',
  async (mutant) => {
    const { problems } = await run([mutant, 'create-not-stored'], ['create/minimal']);
    expect(problems.map(({ headline }) => headline)).toEqual([
      'A list that is complete lacks a pet that exists',
      expect.stringMatching(/^createPet answers /),
    ]);
  },
);

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
    const { problems } = await runConformance({ target, apiKey, settleMs: 0, only: ['create/minimal'] });
    expect(problems.map(({ headline }) => headline)).toEqual(['createPet answers 303 instead of 201']);
  },
);

test.each(['create-accepts-array-body', 'create-accepts-category-past-int64'] as const)(
  'so that another defect is named beside it: %s',
  async (mutant) => {
    const { problems } = await run(['create-in-envelope', mutant], ['create-invalid/shape', 'create-invalid/digits']);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^createPet accepts /), expect.stringMatching(/are missing/)]),
    );
  },
);

test.each(['nul-cuts-name', 'emoji-in-name-lost', 'percent-in-name-decoded'] as const)(
  'what becomes of an odd name is seen beside a body of which only the first piece is read: %s',
  async (mutant) => {
    const only = ['create/name', 'create/field-order', 'create/in-pieces'];
    const { problems } = await run(['first-piece-alone-read', mutant], only);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^createPet refuses /),
        expect.stringMatching(/^(?:Names|`name`)/),
      ]),
    );
  },
);

test('a letter that pieces split is seen to be lost, by either of two', async () => {
  const result = await run(['pieces-decoded-apart'], ['create/name', 'create/in-pieces', 'create/in-chunks']);
  expect(count(result, 'create/in-', 'deviated')).toBe(3);
  expect(count(result, 'create/name', 'deviated')).toBe(0);
});

test('a step that failed stops only what takes something from it', async () => {
  const { scenarios } = await run(['get-unknown-500'], ['create/minimal', 'create-invalid/digits']);
  const minimal = scenarios.find(({ id }) => id === 'create/minimal');
  expect(minimal?.steps.map(({ id }) => id)).toEqual(['before', 'not-yet', 'create', 'fetch', 'list']);
});

test('and what it stopped is said of the problem that stopped it', async () => {
  const { problems } = await run(
    ['list-id-missing', 'create-200'],
    ['create-invalid/leaves-nothing', 'create/minimal'],
  );
  expect(problems.map(({ headline, hides }) => [headline, hides !== undefined])).toEqual([
    [expect.stringMatching(/^`id` of a pet is missing/), true],
    [expect.stringMatching(/^createPet answers 200/), false],
  ]);
});

test('a create that was refused lets nothing be concluded that rests on it', async () => {
  const server = await run(['create-category-int32', 'limit-100-refused'], ['create-invalid/shape']);
  expect(count(server, 'create-invalid/shape', 'deviated')).toBe(0);
});

test.each(['create-null', 'create-in-envelope', 'create-id-missing'] as const)(
  'a pet whose creation does not say which it is, is found by its name, and judged by what was sent: %s',
  async (mutant) => {
    const { problems } = await run([mutant, 'create-category-int32'], ['create/category']);
    expect(problems.map(({ headline }) => headline)).toEqual(
      expect.arrayContaining([expect.stringMatching(/past 2\^31 wrap around/)]),
    );
  },
);

test.each<[MutantId, MutantId, string, RegExp]>([
  // The largest page is refused: a smaller one shows the same.
  ['limit-100-refused', 'list-misses-newest', 'create/minimal', /lacks a pet that exists/],
  ['limit-100-refused', 'space-before-body-refused', 'create/field-order', /^createPet refuses with 400/],
  // What should have been refused, and was not, ends no scenario: the others are refused.
  ['missing-key-accepted', 'unknown-status-leaves-a-draft', 'create-invalid/leaves-nothing', /refused is stored/],
  // A list in another form shows its pets all the same.
  ['list-as-object-by-id', 'get-0-returns-first', 'get/unknown', /^getPet answers another pet/],
  // An item that is no pet hides none.
  ['list-null-item', 'keyless-create-leaves-a-draft', 'create-invalid/leaves-nothing', /refused is stored/],
  // An Error body says what its status does not.
  ['bad-key-200', 'refused-create-still-stored', 'create-invalid/leaves-nothing', /refused is stored/],
  // A pet that was accepted, and is in no list under any name, is lost though no answer says its id.
  ['create-empty-body', 'create-not-stored', 'create/minimal', /lacks a pet that exists/],
  // Any limit beside a filter breaks it: a page without one shows the same.
  ['limit-with-filter-500', 'filter-first-20-only', 'status-filter/all', /^A list filtered by status lacks pets/],
  // A filter that counts only with a limit is asked with one.
  ['filter-ignored-without-limit', 'filter-empty-204', 'list/empty', /^listPets answers 204 instead of 200/],
  // A redirect to what was created says that it was.
  ['create-303', 'create-category-int32', 'create/category', /past 2\^31 wrap around/],
])('what %s answers is enough for %s to be named', async (mutant, other, only, headline) => {
  const { problems } = await run([mutant, other], [only]);
  expect(problems.map((problem) => problem.headline)).toEqual(
    expect.arrayContaining([expect.stringMatching(headline)]),
  );
});

test('a pet that no answer says the id of may be in a list without its name: it is not called lost', async () => {
  const { problems } = await run(
    ['create-empty-body', 'list-name-missing'],
    ['create/minimal', 'create/word[a-tilde]'],
  );
  expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
    expect.stringMatching(/^`name` of a pet is missing in the answers of listPets/),
    'createPet answers 201 with no body',
  ]);
});

test.each(['body-without-last-chunk', 'body-shorter-than-announced'] as const)(
  'answers that are cut off end no run, and what came of them says what else is wrong: %s',
  async (mutant) => {
    const only = ['create/minimal', 'create/name[accents]', 'create-invalid/shape'];
    const { targetLost, problems } = await run([mutant, 'get-name-differs', 'create-accepts-array-body'], only);
    expect(targetLost).toBe(false);
    expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
      expect.stringMatching(/^Names are upper-cased/),
      expect.stringMatching(/^createPet accepts /),
      expect.stringMatching(/^listPets and getPet give no whole answer/),
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
    only: ['create/minimal', 'get/unknown', 'list/*'],
  });
  expect({ targetLost, headlines: problems.map(({ headline }) => headline) }).toEqual({
    targetLost: false,
    headlines: [expect.stringMatching(/give no whole answer: the connection ended before the body was complete$/)],
  });
});

test.each<[MutantId, RegExp]>([
  ['get-in-array', /^getPet answers a list, not an object/],
  ['get-in-envelope', /are missing in the answers of getPet/],
  ['body-as-text-of-json', /answer text, not an object/],
])('a pet in another form is a pet, with all that is wrong with it: %s', async (mutant, headline) => {
  const only = ['create/minimal', 'create/name[accents]'];
  const { problems } = await run(['get-name-differs', 'create-category-as-text', mutant], only);
  expect(problems).toHaveLength(3);
  expect(problems.map((problem) => problem.headline)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Names are upper-cased in the answers of getPet/),
      expect.stringMatching(/^`categoryId` of a pet is text .* createPet$/),
      expect.stringMatching(headline),
    ]),
  );
});

test('a create with another success is a create, wherever a scenario assumes one', async () => {
  const { problems } = await run(['create-200', 'name-accents-stripped'], ['create/name[accents]']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    'Names lose their accents in the answers of getPet',
    'createPet answers 200 instead of 201',
  ]);
});

test('what does not build on a list that is refused is asked all the same', async () => {
  const { problems } = await run(['limit-below-10-refused', 'get-0-returns-first'], ['get/unknown[zero]']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    'getPet answers another pet when asked for the id 0',
    expect.stringMatching(/^listPets refuses with 400/),
  ]);
});

test('lists of which one cannot be read count the pets of the others', async () => {
  const server = await startWith([
    mutants['limit-capped-at-50'].needs as Change,
    mutants['limit-capped-at-50'].change,
    mutants['filter-pending-500'].change,
  ]);
  servers.push(server);
  const options = { target: server.url, apiKey: server.apiKey, settleMs: 0, strict: true, only: ['limits/maximum'] };
  const { problems } = await runConformance(options);
  expect(problems.map(({ headline }) => headline)).toContainEqual(
    expect.stringMatching(/^A page of listPets has fewer/),
  );
});

test('an Error body that lacks a field is asked to repeat the status all the same', async () => {
  const { problems } = await run(['error-message-missing', 'error-status-zero'], ['authentication/listPets[missing]']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    expect.stringMatching(/^The Error body lacks `message`/),
    expect.stringMatching(/^`status` in the Error body is 0/),
  ]);
});

test('a status that one operation shows wrong is told, though the whole list is refused', async () => {
  const { problems } = await run(['filter-required', 'created-sold-fetched-available'], ['create/with-status[sold]']);
  expect(problems.map(({ headline }) => headline)).toContainEqual(expect.stringMatching(/^`status` of a pet changes/));
});

test.each<[MutantId, MutantId, string, RegExp]>([
  ['body-xml', 'null-as-key-accepted', 'authentication/getPet[the-word-null]', /with the word null for a key$/],
  ['body-after-guard', 'get-ignores-sign', 'get/neighbours', /^getPet answers another pet .* for a negative id$/],
  ['body-xml', 'asked-before-it-existed', 'create/minimal', /^getPet answers 404 for a pet that exists$/],
])('the ids in what is no JSON let more be asked: %s beside %s', async (form, mutant, only, headline) => {
  const { problems } = await run([form, mutant], [only]);
  expect(problems.map((problem) => problem.headline)).toEqual([
    expect.stringMatching(headline),
    expect.stringMatching(/are not JSON/),
  ]);
});

test('a list in a list of its own is looked at as that list', async () => {
  const { problems } = await run(['list-nested', 'create-stores-twice'], ['create/minimal']);
  expect(problems.map(({ headline }) => headline)).toEqual([
    'A pet that was created once is in the list more than once',
    expect.stringMatching(/^listPets answers a list of which an item is a list/),
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
  const { problems } = await runConformance({ ...options, only: ['create/minimal', 'create-invalid/shape'] });
  expect(problems.map(({ headline }) => headline).toSorted()).toEqual([
    expect.stringMatching(/^createPet accepts /),
    expect.stringMatching(/^createPet fails with 500/),
  ]);
});
