// Mutants in keys that a client chooses, and in the lengths of texts, which no pet has: lots of seed, by their codes.
import { expect, test } from 'vitest';
import { runConformance } from '../../src/conformance/index.js';
import { object } from '../conformance/resources/support/odd-resource.js';
import { describeShelf } from '../conformance/resources/support/shelf.js';
import { describePaths } from '../conformance/resources/support/stranger.js';
import { closeLater } from '../conformance/support/ask.js';
import { makeFolder } from '../support/folder.js';
import { serveJson, type Answer, type Asked, type Item } from '../support/network/serve-json.js';

const MOST = 40;

/** What a service makes of a lot, which a mutant changes. */
interface Lots {
  /** The code that a path names; `undefined` for none that there could be. */
  readCode: (segment: string) => string | undefined;
  /** The lot with a code, among all. */
  find: (code: string, lots: ReadonlyMap<string, Item>) => Item | undefined;
  isTaken: (code: string, lots: ReadonlyMap<string, Item>) => boolean;
  lengthOf: (text: string) => number;
  /** Whether a body that is to change a lot is read. */
  readsChange: (asked: Asked) => boolean;
}

const LEGAL: Lots = {
  readCode: (segment) => decodeURIComponent(segment),
  find: (code, lots) => lots.get(code),
  isTaken: (code, lots) => lots.has(code),
  lengthOf: (text) => Array.from(text).length,
  readsChange: () => true,
};

const folding = (fold: (text: string) => string): Partial<Lots> => ({
  find: (code, lots) => lots.get(code) ?? [...lots].find(([other]) => fold(other) === fold(code))?.[1],
});

const reserving = (word: string): Partial<Lots> => ({ isTaken: (code, lots) => lots.has(code) || code === word });

/** Each breaks one thing, and one row of one scenario finds it. */
const MUTANTS: Readonly<Record<string, readonly [scenario: string, change: Partial<Lots>]>> = {
  'an escaped slash parts segments': [
    'own-key[slash]',
    { readCode: (segment) => (/%2f/i.test(segment) ? undefined : decodeURIComponent(segment)) },
  ],
  'a plus in a path is a space': [
    'own-key[signs]',
    { readCode: (segment) => decodeURIComponent(segment.replaceAll(/%2B/gi, '%20')) },
  ],
  'escapes are read as Latin-1': [
    'own-key[letters]',
    { readCode: (segment) => Buffer.from(decodeURIComponent(segment)).toString('latin1') },
  ],
  'what follows a dot is a format': ['own-key[file-ending]', { readCode: (segment) => segment.split('.')[0] }],
  'a property of objects is taken': ['reserved-key[constructor]', reserving('constructor')],
  'the prototype is taken': ['reserved-key[__proto__]', reserving('__proto__')],
  'a method of objects is taken': ['reserved-key[toString]', reserving('toString')],
  'zero is taken': ['reserved-key[0]', reserving('0')],
  'null is taken': ['reserved-key[null]', reserving('null')],
  'keys have no case': ['folded-key[case]', folding((text) => text.toLowerCase())],
  'keys are composed': ['folded-key[composed]', folding((text) => text.normalize('NFC'))],
  'compatible letters of keys are one': ['folded-key[wide]', folding((text) => text.normalize('NFKC'))],
  'a space behind a key is nothing': ['folded-key[space]', folding((text) => text.trimEnd())],
  'lengths are in bytes': ['longest-text[letters]', { lengthOf: (text) => Buffer.byteLength(text) }],
  'lengths are in code units': ['longest-text[astral]', { lengthOf: (text) => text.length }],
  'a change that is asked for is not read': [
    'message-with-change[replace]',
    { readsChange: ({ headers }) => headers.expect === undefined },
  ],
  'a change with a trailer is not read': [
    'message-with-change[replace]',
    { readsChange: ({ headers }) => headers.trailer === undefined },
  ],
};

const ONLY = ['own-key*', 'reserved-key*', 'folded-key*'].map((name) => `lots/records/${name}`);
const FURTHER = ['lots/sequences/longest-text*', 'lots/requests/message-with-change*'];

/** The scenarios that deviate. */
async function judge(change: Partial<Lots>): Promise<string[]> {
  const { url, close } = await serveJson(serveLots({ ...LEGAL, ...change }));
  closeLater(close);
  const spec = `${makeFolder({ 'lots.json': JSON.stringify(CONTRACT) })}/lots.json`;
  const only = [...ONLY, ...FURTHER];
  const { scenarios } = await runConformance({ target: url, spec, apiKey: 'none', only, settleMs: 0 });
  return scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id.split('/').at(-1) ?? '');
}

function serveLots({ readCode, find, isTaken, lengthOf, readsChange }: Lots): (asked: Asked) => Answer {
  const lots = new Map<string, Item>();
  const no = (status: number): Answer => ({ status, body: { message: 'no' } });
  const isLot = (body: unknown): body is Item => {
    const { code, name } = (body ?? {}) as Item;
    const fits = (text: unknown): boolean => typeof text === 'string' && text !== '' && lengthOf(text) <= MOST;
    return typeof code === 'string' && code !== '' && Array.from(code).length <= MOST && fits(name);
  };
  return (asked) => {
    const { method, path, body } = asked;
    const [, collection, segment, ...rest] = path.split('/');
    if (collection !== 'lots' || rest.length > 0) return no(404);
    if (segment === undefined) {
      if (method === 'GET') return { status: 200, body: [...lots.values()] };
      if (!isLot(body)) return no(400);
      if (isTaken(String(body['code']), lots)) return no(409);
      lots.set(String(body['code']), body);
      return { status: 201, body };
    }
    const code = readCode(segment);
    const lot = code === undefined ? undefined : find(code, lots);
    if (lot === undefined) return no(404);
    if (method === 'GET') return { status: 200, body: lot };
    if (method === 'DELETE') {
      lots.delete(String(lot['code']));
      return { status: 204 };
    }
    if (!readsChange(asked) || !isLot(body) || body['code'] !== lot['code']) return no(400);
    lots.set(String(lot['code']), body);
    return { status: 200, body };
  };
}

const chosen = { type: 'string', minLength: 1, maxLength: MOST };
const refused = [400, 404, 409];
const refusals = { list: refused, create: refused, get: refused, replace: refused, remove: refused };
const LOT = { name: 'lots', keyName: 'code', key: chosen, record: object({ code: chosen, name: chosen }), refusals };
const CONTRACT = describePaths(describeShelf(LOT));

test('a service that keeps the keys of its clients letter by letter is not accused', async () => {
  expect(await judge({})).toEqual([]);
});

test.each(Object.entries(MUTANTS))('%s: one row finds it', async (_, [scenario, change]) => {
  expect(await judge(change)).toContain(scenario);
});
