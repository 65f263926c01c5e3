import { expect, onTestFinished, test } from 'vitest';
import { alertmanager } from './services/alertmanager.js';
import { directus } from './services/directus.js';
import { wiremock } from './services/wiremock.js';
import { complain, complainBeyond } from './support/complaints.js';
import { judge, watch, type Harm, type Judged, type Told } from './support/judge.js';
import { startProgram, type Program } from './support/kit.js';

interface Sent {
  method: string;
  path: string;
  body?: unknown;
}

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
  expect(gone).toEqual({ touched: expect.objectContaining({ length: 31 }), moved: [], left: 0, there: 0 });
  const changed = await harm(directus, { method: 'PATCH', path: '/settings', body: { public_note: 'hello' } });
  expect(changed).toEqual({ touched: ['settings one'], moved: [], left: 0, there: 0 });
});

test('a guest that leaves a record, or moves the sequence, is seen', async () => {
  const made = { method: 'POST', path: '/items/articles', body: { title: 'One' } };
  expect(await harm(directus, made)).toEqual({ touched: [], moved: [], left: 1, there: 1 });
  const removed = { method: 'DELETE', path: '/items/articles/24' };
  expect(await harm(directus, made, removed)).toEqual({ touched: [], moved: [], left: 0, there: 0 });
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

const FAIR: Judged = {
  exit: 0,
  told: [],
  touched: [],
  moved: [],
  left: 0,
  there: 0,
  leftSaid: 0,
  hasLasting: true,
  requests: 470,
  ms: 1000,
};
const makeTold = (id: string): Told => ({ id, headline: id, operations: ['getCat'] });
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
    const [judged, sound] = [
      { ...FAIR, told, exit: told.length > 0 ? 1 : 0 },
      { ...FAIR, told: without, exit: without.length > 0 ? 1 : 0 },
    ];
    expect(complainBeyond(judged, sound, [at])).toEqual(complaints);
  },
);

test('of a run at a program with a legal habit, what the habit alone brings is judged', () => {
  const [quiet, loud] = [FAIR, { ...FAIR, exit: 1, told: [one] }];
  expect(complainBeyond(loud, quiet)).toEqual(['told']);
  expect(complainBeyond(loud, loud)).toEqual([]);
});

test('a habit that makes a run many times as long is judged', () => {
  expect(complainBeyond({ ...FAIR, requests: 1410 }, FAIR)).toEqual([]);
  expect(complainBeyond({ ...FAIR, requests: 1411 }, FAIR)).toEqual(['costly']);
});

test('harm that a habit alone brings is told', () => {
  const [found, harmed] = [
    { ...FAIR, exit: 1, told: [one] },
    { ...FAIR, left: 5 },
  ];
  expect(complainBeyond({ ...found, left: 5 }, FAIR, ['getCat'])).toEqual(['left']);
  expect(complainBeyond({ ...found, left: 5 }, harmed, ['getCat'])).toEqual([]);
});

test('a habit that a program does not have is refused', async () => {
  await expect(judge(wiremock, ['no-such-habit'])).rejects.toThrow('wiremock has no habit no-such-habit');
});
