import { printJson } from '../../../src/contract/document/json.js';
import { serveJson } from '../../support/network/serve-json.js';

export const rex = { id: 1, name: 'Rex', categoryId: 7, status: 'sold' };
export const tom = { id: 9007199254740993n, name: 'Tom', categoryId: 7, status: 'available' };

const ann = { id: 3, name: 'Ann', categoryId: 7, status: 'pending' };

/** A value of each kind that a scenario file can state. */
export const KINDS: Readonly<Record<string, unknown>> = {
  nothing: null,
  truth: true,
  integer: 5,
  bigInteger: 9007199254740993n,
  fraction: 1.5,
  text: 'nonsense',
  emptyText: '',
  emptyList: [],
  numbers: [1, 2],
  pets: [rex, tom],
  emptyObject: {},
  object: { a: 1 },
  pet: rex,
};

interface Answer {
  status: number;
  body: string;
  /** Of the field X-Text. */
  header?: string;
}

/** What a server may answer, right or wrong. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  pets: json(200, [rex, tom]),
  'pets by other names': { ...json(200, [{ ...rex, name: 'Max' }]), header: 'other' },
  'more pets': json(200, [rex, tom, ann]),
  'six pets': json(200, [rex, tom, ann, { ...ann, id: 4 }, { ...ann, id: 5 }, { ...ann, id: 6 }]),
  'a pet twice': json(200, [rex, rex]),
  'no pets': json(200, []),
  'a pet': json(200, rex),
  'a pet by another name': { ...json(200, { ...rex, name: 'Max' }), header: 'other' },
  'another pet': json(200, ann),
  'a pet with the key 5': json(200, { ...ann, id: 5 }),
  'a pet with a large key': json(200, tom),
  null: json(200, null),
  'not found': json(404, { code: 'not_found', message: 'Nothing is there.', status: 404 }),
};

function json(status: number, body: unknown): Answer {
  return { status, body: printJson(body) };
}

/** The answers that keep the contract, by what is asked: what fails on none of them cannot fail. */
export const SOUND: Readonly<Record<string, readonly string[]>> = {
  list: ['pets', 'pets by other names', 'more pets', 'six pets', 'no pets'],
  get: ['a pet', 'a pet by another name', 'a pet with the key 5', 'a pet with a large key'],
};

/** The header field by which the server knows the request that gets the planted answer. */
export const MARK = 'X-Planted';

export type PlantedServer = { url: string; plant(answer: keyof typeof ANSWERS): void; close(): Promise<void> };

/** A server that answers `/kinds` with {@link KINDS}, a marked request with what was planted, and others with two pets. */
export async function startPlanted(): Promise<PlantedServer> {
  let planted = 'pets';
  const kinds: Answer = { status: 200, body: printJson(KINDS) };
  const { url, close } = await serveJson(({ path, headers }) => {
    const usual = path.startsWith('/kinds') ? kinds : ANSWERS['pets'];
    const answer = (headers[MARK.toLowerCase()] === undefined ? usual : ANSWERS[planted]) ?? kinds;
    return { ...answer, body: Buffer.from(answer.body), headers: { 'X-Text': answer.header ?? 'nonsense' } };
  }, '/v1');
  return { url, close, plant: (answer) => (planted = answer) };
}
