import { expect, test } from 'vitest';
import { judgeService, judgeShop } from './support/judge-service.js';
import { helpdesk } from './support/services.js';
import { expectHeadline } from './support/expect-problem.js';

const listHeadlines = ({ problems }: { problems: readonly { headline: string }[] }): string[] =>
  problems.map(({ headline }) => headline);

test.each([
  [
    'tickets:change-answers-old',
    ['tickets/changes/update'],
    /^`subject`, .* and `contact` are not as they were sent in responses of tickets\.patch/,
  ],
  [
    'tickets:filter-stale:due_on',
    ['tickets/lists/filter', 'tickets/changes/update-in-filter'],
    /^The filter by `due_on` of tickets\.list returns records that do not match and leaves out records that match$/,
  ],
  [
    'tickets:off:labels.items.type',
    ['tickets/refusals/create', 'tickets/lists/pages'],
    /^tickets\.create accepts `labels\/1` null, as a number and as an object, though it must be a string$/,
  ],
])('%s of a helpdesk is reported by a headline that says so', async (mutant, only, headline) => {
  expectHeadline(listHeadlines(await judgeService(helpdesk, [mutant], only)), headline);
});

test.each([
  ['remove-keeps', ['*/changes/remove*'], /^A deleted record is still in responses of readCustomer, .* and listNotes$/],
  [
    'create-forgets-optional',
    ['customers/records/*'],
    /^`email` and `points` are not as they were sent in responses of signUp, readCustomer and browseCustomers, such as `email`: absent/,
  ],
  ['customerId-unchecked', ['orders/refusals/*'], /^placeOrder and replaceOrder accept `customerId` null/],
])('%s of a shop is reported by a headline that says so', async (mutant, only, headline) => {
  expectHeadline(listHeadlines(await judgeShop([mutant], only)), headline);
});

test('two defects of one resource stay two problems', async () => {
  const { problems } = await judgeService(
    helpdesk,
    ['agents:get-neighbour', 'agents:off:level.maximum'],
    ['agents/records/get*', 'agents/refusals/create'],
  );
  expect(problems).toHaveLength(2);
});
