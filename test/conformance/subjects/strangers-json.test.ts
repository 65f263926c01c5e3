import { expect, test } from 'vitest';
import { integer, object, text } from './support/odd-resource.js';
import { describeShelf, serveShelf, type Habits } from './support/shelf.js';
import { describePaths, fail, judgeStranger, listTold, type Answer, type Serve } from './support/stranger.js';

const record = object({ id: { ...integer, readOnly: true }, title: { ...text, minLength: 1 } }, ['title']);
const document = describePaths(describeShelf({ name: 'books', record }));

function serveBooks(habits: Habits = {}): Serve {
  return serveShelf('books', {
    refuse: ({ title }) => (typeof title === 'string' && title !== '' ? undefined : fail(400)),
    ...habits,
  });
}

/** A service that sends all its answers in another way. */
function sendingAs(change: (answer: Answer) => Answer, habits?: Habits): Serve {
  const serve = serveBooks(habits);
  return (asked) => change(serve(asked));
}

const labelled = (answer: Answer): Answer =>
  answer.body === undefined
    ? answer
    : { ...answer, headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } };

const inLatin = (answer: Answer): Answer => ({
  ...labelled(answer),
  ...(answer.body === undefined ? {} : { bytes: Buffer.from(JSON.stringify(answer.body), 'latin1') }),
});

test('JSON in UTF-8 is that under any charset, and in another encoding under none', async () => {
  expect(listTold(await judgeStranger(document, sendingAs(labelled)))).toEqual([]);
  const umlauts: Habits = { show: (item) => ({ ...item, shelf: 'Bücher' }) };
  const told = listTold(await judgeStranger(document, sendingAs(inLatin, umlauts)));
  expect(told.filter((each) => each.includes('the bytes are not valid UTF-8'))).toHaveLength(1);
});

function nest(depth: number): unknown {
  let nested: unknown = 1;
  for (let level = 0; level < depth; level++) nested = [nested];
  return nested;
}

test('what a service nests deeply is read, and what nobody can read accuses nobody', async () => {
  const deep: Habits = { show: (item) => ({ ...item, tree: nest(300) }) };
  expect(listTold(await judgeStranger(document, serveBooks(deep)))).toEqual([]);
  const deeper: Habits = { show: (item) => ({ ...item, tree: nest(1500) }) };
  const { problems, scenarios } = await judgeStranger(document, serveBooks(deeper), ['books/records/create']);
  expect(problems).toEqual([]);
  expect(scenarios.map(({ verdict, reason }) => `${verdict}: ${reason ?? ''}`)).toEqual([
    'inconclusive: needs an answer that is nested no deeper than the 1000 levels that a run reads',
  ]);
});

test('deep JSON that does not end is none', async () => {
  const cut = (answer: Answer): Answer =>
    answer.body === undefined ? answer : { status: answer.status, text: JSON.stringify(answer.body).slice(0, -1) };
  const [first] = listTold(
    await judgeStranger(document, sendingAs(cut, { show: (item) => ({ ...item, tree: nest(300) }) })),
  );
  expect(first).toMatch(/are not JSON/);
});
