import { expect, onTestFinished, test } from 'vitest';
import { alertmanager } from './services/alertmanager.js';
import { directus } from './services/directus.js';
import { wiremock } from './services/wiremock.js';
import { complain, complainBeyond } from './support/complaints.js';
import { judge, watch, type Harm, type Judged, type Told } from './support/judge.js';
import { startProgram, type Program } from './support/kit.js';

type Sent = { method: string; path: string; body?: unknown };

/** What requests of a guest do to a program. */
async function harm(program: Program, ...requests: readonly Sent[]): Promise<Harm> {
  const { url, service, close } = await startProgram(program, []);
  onTestFinished(close);
  const look = watch(service);
  const headers = { authorization: `Bearer ${program.apiKey}`, 'content-type': 'application/json' };
  for (const { method, path, body } of requests)
    await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return look();
}

test('a guest that removes and changes what it did not make is seen', async () => {
  const gone = await harm(wiremock, { method: 'DELETE', path: '/mappings' });
  expect(gone).toEqual({ ...UNHARMED, touched: expect.objectContaining({ length: 31 }) });
  const changed = await harm(directus, { method: 'PATCH', path: '/settings', body: { public_note: 'hello' } });
  expect(changed).toEqual({ ...UNHARMED, touched: ['settings one'] });
});

test('a guest that leaves a record, or moves the sequence, is seen', async () => {
  const made = { method: 'POST', path: '/items/articles', body: { title: 'One' } };
  expect(await harm(directus, made)).toEqual({ ...UNHARMED, left: 1, there: 1 });
  const removed = { method: 'DELETE', path: '/items/articles/24' };
  expect(await harm(directus, made, removed)).toEqual(UNHARMED);
  const far = { ...made, body: { title: 'One', id: 1_999_999_973 } };
  const { moved } = await harm(directus, far, { method: 'DELETE', path: '/items/articles/1999999973' });
  expect(moved).toEqual(['articles by 1999999950']);
});

test('a silence that has expired is not left behind', async () => {
  const { url, service, close } = await startProgram(alertmanager, []);
  onTestFinished(close);
  const look = watch(service);
  const [startsAt, endsAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const matchers = [{ name: 'job', value: 'backup', isRegex: false }];
  const body = JSON.stringify({ matchers, startsAt, endsAt, createdBy: 'guest', comment: '' });
  const answer = await fetch(`${url}/silences`, { method: 'POST', body });
  const { silenceID } = (await answer.json()) as { silenceID: string };
  expect(look().left).toBe(1);
  await fetch(`${url}/silence/${silenceID}`, { method: 'DELETE' });
  expect(look()).toEqual({ touched: [], moved: [], left: 0, there: 1 });
});

const UNHARMED = { touched: [], moved: [], left: 0, there: 0 };
const FAIR: Judged = { ...UNHARMED, exit: 0, told: [], leftSaid: 0, hasLasting: true, requests: 470, ms: 1000 };
const makeTold = (id: string): Told => ({ id, headline: id, operations: ['getCat'] });
const tells = (told: Told[]): Judged => ({ ...FAIR, told, exit: told.length > 0 ? 1 : 0 });
const one = makeTold('one');
const four = ['two', 'three', 'four', 'five'].map(makeTold);

test.each<[change: Partial<Judged>, complaints: string[]]>([
  [{}, []],
  [{ exit: 1, told: [one] }, ['told']],
  [{ exit: 3, told: [one] }, ['told', 'exit']],
  [{ exit: 1 }, ['exit']],
  [{ touched: ['cats 1'] }, ['touched']],
  [{ moved: ['cats by 7'] }, ['moved']],
  [{ left: 2, there: 2 }, ['left']],
  [{ leftSaid: 2 }, ['left']],
  [{ left: 2, there: 2, leftSaid: 2 }, []],
  [{ left: 1, there: 2, leftSaid: 2 }, []],
  [{ left: 2, there: 2, leftSaid: 2, hasLasting: false }, ['kept']],
])('of a run at a program that is sound, %j is judged', (change, complaints) => {
  expect(complain({ ...FAIR, ...change })).toEqual(complaints);
});

test.each<[told: Told[], without: Told[], shownAt: string, complaints: string[]]>([
  [[one], [], 'getCat', []],
  [[one], [], 'listCats', ['missed']],
  [[], [], 'getCat', ['missed']],
  [[one], [one], 'getCat', ['missed']],
  [[one, ...four], [], 'getCat', ['many']],
  [[one, ...four], [one], 'getCat', []],
])(
  'of a run at a program with a defect, %j is judged beside %j where it shows at %s',
  (told, without, at, complaints) => {
    expect(complainBeyond(tells(told), tells(without), [at])).toEqual(complaints);
  },
);

const left = { ...tells([one]), left: 5 };

test.each<[string, Judged, Judged, string[] | undefined, string[]]>([
  ['what a legal habit alone brings', tells([one]), FAIR, undefined, ['told']],
  ['what is so without it as well', tells([one]), tells([one]), undefined, []],
  ['three times the requests', { ...FAIR, requests: 1410 }, FAIR, undefined, []],
  ['more than that', { ...FAIR, requests: 1411 }, FAIR, undefined, ['costly']],
  ['harm that a habit alone brings', left, FAIR, ['getCat'], ['left']],
  ['harm that comes without it', left, { ...FAIR, left: 5 }, ['getCat'], []],
])('beyond what a program has without a habit: %s', (_, judged, without, shownAt, complaints) => {
  expect(complainBeyond(judged, without, shownAt)).toEqual(complaints);
});

test('a habit that a program does not have is refused', async () =>
  await expect(judge(wiremock, ['no-such-habit'])).rejects.toThrow('wiremock has no habit no-such-habit'));
