import { expect, test } from 'vitest';
import { judgeService, listDeviating } from './support/judge-service.js';
import { helpdesk, library } from './support/services.js';

const TOLD = ['books/records/defaults', 'books/records/write-only', 'books/records/read-only', 'books/lists/total'];

test('a library that keeps its contract passes what its contract states of defaults, of what is read or write only, and of totals', async () => {
  const { problems, scenarios } = await judgeService(library, [], TOLD);
  expect(problems).toEqual([]);
  expect(scenarios.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
});

test('several defects of a library are each told as what they are', async () => {
  const changes = [
    'books:default-wrong:language',
    'books:shows:accessCode',
    'books:stores:addedAt',
    'books:total-plus',
  ];
  const headlines = (await judgeService(library, changes, TOLD)).problems.map(({ headline }) => headline);
  for (const told of [
    /^`language` is "it" where no request names it, not its default "en" \(books\)$/,
    /^`accessCode`, which is write only, is in responses of findBooks and readBook$/,
    /^`addedAt`, which is read only, can be changed by clients \(books\)$/,
    /^findBooks says that there are \d+ records, and lists \d+$/,
  ])
    expect(headlines).toContainEqual(expect.stringMatching(told));
});

test('a helpdesk that takes one of two kinds of credentials alone, or forgets what it was told before, is found out', async () => {
  const about = ['agents/requests/alternative', 'agents/requests/sent-again', 'tickets/requests/update-if-match'];
  const changes = ['agents:second-login-refused', 'agents:repeat-key-ignored', 'tickets:if-match-ignored'];
  expect(listDeviating(await judgeService(helpdesk, changes, about))).toEqual([
    'agents/requests/sent-again[Idempotency-Key]',
    'agents/requests/alternative[deskLogin]',
    'tickets/requests/update-if-match[all]',
  ]);
});
