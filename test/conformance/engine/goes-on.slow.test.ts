// One defect does not hide another: what a wrong answer stopped, and what goes on all the same.
import { expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { Refusal } from '../../mutation/server/replies.js';
import { variants } from '../../mutation/variants/index.js';
import { expectProblem } from '../resources/support/expect-problem.js';
import { listTold, runPets } from '../support/ask.js';

const run = (changes: readonly (MutantId | Change)[], only: string): Promise<RunResult> =>
  runPets(changes, { only: only.split(' ').map((each) => `pets/${each}`) });

const count = ({ scenarios }: RunResult, prefix: string, verdict: string): number =>
  scenarios.filter((each) => each.id.startsWith(prefix) && each.verdict === verdict).length;

test.each<[string, ...MutantId[]]>([
  ['whatever it answered or became of it', 'create-in-envelope'],
  ['whatever it answered or became of it', 'create-not-stored'],
  ['where its id is none and no list shows the pet', 'create-id-null', 'list-id-missing'],
])('a create that was accepted lets refusals be tried, %s: %s', async (_, ...planted) => {
  const result = await run(planted, 'refusals/create');
  expect(count(result, 'pets/refusals/', 'passed')).toBeGreaterThan(10);
  expect(count(result, 'pets/refusals/', 'inconclusive')).toBe(0);
});

test('a create that was refused lets nothing be concluded that rests on it', async () => {
  const refused: Change = () => ({ readNewPet: () => new Refusal(400, 'bad_request', 'No pet is taken.', {}) });
  const result = await run([refused], 'refusals/create');
  expect(count(result, 'pets/refusals/', 'deviated')).toBe(0);
  expect(count(result, 'pets/refusals/', 'inconclusive')).toBeGreaterThan(10);
});

test.each(['/login', '/v1/pets', '/v1/pets/new', '/v1/owners/7', undefined])(
  'a create that is redirected to %s says nothing of a pet',
  async (location) => {
    const reply = { status: 303, headers: location === undefined ? {} : { location }, json: undefined };
    const moved: Change = (base) => ({
      intercept: (exchange) => (exchange.operation === 'createPet' ? reply : base.intercept(exchange)),
    });
    const result = await run([moved], 'records/create');
    expect(listTold(result)).toEqual(['createPet returns 303 instead of 201']);
  },
);

const NAME_LOST = /^`name` is not as it was sent/;
const CATEGORY_LOST = /^`categoryId` is not as it was sent/;
const STORED = /rejected record is stored/;
const UNFILTERED = /returns records that do not match$/;
const PIECES = 'records/texts sequences/in-pieces sequences/rare-texts';

test.each<[MutantId, MutantId, string, RegExp]>([
  // Where only the first piece of a body is read.
  ['first-piece-alone-read', 'nul-cuts-name', PIECES, NAME_LOST],
  // A record whose creation does not say which it is, is found by its text.
  ['create-null', 'create-category-int32', 'records/wide-numbers', CATEGORY_LOST],
  ['create-id-missing', 'create-category-int32', 'records/wide-numbers', CATEGORY_LOST],
  // The largest page is refused: one of any length shows the same.
  ['limit-100-refused', 'filter-ignored', 'lists/*', UNFILTERED],
  // An item that is no record hides none.
  ['list-null-item', 'keyless-create-leaves-a-draft', 'records/list sequences/took-no-key', STORED],
  // An Error body says what its status does not.
  ['bad-key-200', 'refused-create-still-stored', 'refusals/*', STORED],
  // Any limit beside a filter breaks it: a list without one shows the same.
  ['limit-with-filter-500', 'filter-ignored-without-limit', 'lists/*', UNFILTERED],
  // A filter that counts only with a limit is asked with one.
  ['filter-ignored-without-limit', 'filter-empty-204', 'lists/at-start', /^listPets returns 204 instead of 200/],
])('what %s answers is enough for %s to be named', async (mutant, other, only, headline) => {
  expect(listTold(await run([mutant, other], only))).toContainEqual(expect.stringMatching(headline));
});

const TAKEN = /^createPet accepts /;
const LIST_REFUSED = /^listPets rejects with 400/;
const OTHER_RECORD = /^getPet returns another record than the requested one$/;
const CUT_OFF = /^listPets and getPet give no complete response/;
const ENVELOPE = /^createPet wraps the response in `data`/;
const TO_CUT = 'records/texts records/list refusals/odd-body';

test.each<[(MutantId | Change)[], string, ...told: RegExp[]]>([
  [['create-in-envelope', 'create-accepts-array-body'], 'refusals/create refusals/odd-body', TAKEN, ENVELOPE],
  [['list-null-item', 'refused-create-still-stored'], 'refusals/*', STORED, /^listPets .* an item is null, not an obj/],
  [['body-without-last-chunk', 'get-name-differs', 'create-accepts-array-body'], TO_CUT, NAME_LOST, TAKEN, CUT_OFF],
  [['create-200', 'name-accents-stripped'], 'records/texts', NAME_LOST, /^createPet returns 200 instead of 201$/],
  [['limit-below-10-refused', 'get-0-returns-first'], 'lists/limit records/odd-key', OTHER_RECORD, LIST_REFUSED],
  [['error-message-missing', 'error-status-zero'], 'refusals/credentials[list]', /lacks `message`/, /Error body is 0/],
  [['filter-required', 'created-sold-fetched-available'], 'records/values records/list', /^`status` is/, LIST_REFUSED],
  [['body-after-guard', 'null-as-key-accepted'], 'refusals/credential-forms', /not JSON/, /the word null for a key$/],
  [['body-after-guard', 'get-ignores-sign'], 'records/created-alone records/odd-key', OTHER_RECORD, /are not JSON/],
  [['limit-above-50-refused'], 'records/* sequences/words*', LIST_REFUSED],
  // A create that fails now and then is tried again, so that it hides nothing of what builds on it.
  [[failOnce(), 'create-accepts-array-body'], 'records/create refusals/odd-body', TAKEN, /^createPet fails with 500/],
])('%j at once are all told, and nothing else', async (changes, only, ...told) => {
  const result = await run(changes, only);
  expect(result.targetLost).toBe(false);
  const headlines = listTold(result);
  expect(headlines).toHaveLength(told.length);
  for (const each of told) expect(headlines).toContainEqual(expect.stringMatching(each));
});

test.each<[MutantId, RegExp]>([
  ['list-id-missing', /^`id` of a record is missing in responses of listPets$/],
  ['create-id-zero', /^One key is given to several records \(pets\)$/],
  ['create-id-as-text', /^`id` of a record is text \("\d+"\), not an integer, in responses of createPet$/],
])('a list that has lost no pet is not said to, whatever its ids: %s', async (mutant, headline) => {
  expectProblem(await run([mutant], 'records/create* records/list'), headline);
});

function failOnce(): Change {
  let creates = 0;
  return (base) => ({
    intercept: (exchange) =>
      exchange.operation === 'createPet' && base.hasValidKey(exchange) && ++creates === 1
        ? new Refusal(500, 'internal', 'It failed.', {})
        : base.intercept(exchange),
  });
}

test('a letter that pieces split is seen to be lost, by either of two', async () => {
  const result = await run(['pieces-decoded-apart'], 'records/texts sequences/in-pieces');
  const steps = result.scenarios.flatMap((scenario) => (scenario.id.includes('/in-pieces') ? scenario.steps : []));
  const lost = steps.filter(({ exchanges }) => exchanges.some(({ findings }) => findings.length > 0));
  expect(lost.map(({ id }) => id)).toEqual(['create', 'get', 'chunks']);
  expect(count(result, 'pets/records/texts', 'deviated')).toBe(0);
});

test('what a wrong answer stopped is said of the problem that stopped it', async () => {
  const { problems } = await run(['create-null', 'create-category-int32'], 'records/wide-numbers');
  expect(problems.map(({ headline, hides }) => [headline, hides !== undefined])).toEqual([
    [expect.stringMatching(CATEGORY_LOST), false],
    ['createPet returns null, not an object', true],
  ]);
});

test('what is cut off before its end is no other defect: no body that is missing, and no JSON that is malformed', async () => {
  const cut: Change = (base) => ({
    send: (reply, exchange, response) => {
      if (reply.status === 201) return base.send(reply, exchange, response);
      response.writeHead(reply.status, { 'content-type': 'application/json', 'content-length': '999' });
      const half = exchange.number % 2 === 0 ? '' : reply.bytes.subarray(0, 9);
      response.write(half, () => response.socket?.destroySoon());
    },
  });
  const result = await run([cut], 'records/get records/list lists/filter-alone');
  expect(result.targetLost).toBe(false);
  expect(listTold(result)).toEqual([
    expect.stringMatching(/give no complete response: the connection ended before the body was complete$/),
  ]);
});

test('a choice that looks like a defect is no problem, beside a defect of which an answer has many', async () => {
  const changes = [variants['status-moves-soon'].change, mutants['list-category-missing'].change];
  const result = await run(changes, 'records/* sequences/words*');
  expect(listTold(result)).toEqual(['`categoryId` of a record is missing in responses of listPets']);
  expect(result.notes).toContainEqual(
    expect.stringMatching(/^records show another `status` than they were created with/),
  );
});
