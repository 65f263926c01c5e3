// What a rejection names: a hint for the next request, which proves nothing.
import { cutText, parseJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { plainName } from '../../contract/resources/words.js';

/** Of these names, those that a rejection has, the plainest first: as a key or a value of its own, in quotes, as a word. */
export function listNamed(body: string, names: readonly string[]): string[] {
  const { words, texts } = readSaid(body);
  const rankOf = (name: string): number => {
    if (words.has(plainName(name))) return 3;
    // `callSign`, `call_sign`, `call sign`
    const parts = name.split(/(?<=[a-z\d])(?=[A-Z])|[_\s-]+/).filter((part) => part !== '');
    const own = parts.map((part) => part.replaceAll(/[^\w]/g, '\\$&')).join('[\\s_-]?');
    if (texts.some((text) => new RegExp(`["'\`]${own}["'\`]`, 'i').test(text))) return 2;
    return texts.some((text) => new RegExp(`(?<![\\w-])${own}(?![\\w-])`, 'i').test(text)) ? 1 : 0;
  };
  return names
    .map((name) => ({ name, rank: rankOf(name) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ name }) => name);
}

/** Names in quotes that are none of these: `Key 'name' not present`. */
export function listOtherNames(body: string, names: readonly string[]): string[] {
  const known = new Set(names.map(plainName));
  const quoted = readSaid(body).texts.flatMap((text) => Array.from(text.matchAll(/(["'`])([A-Za-z_]\w{1,40})\1/g)));
  return [...new Set(quoted.map(([, , name = '']) => name))].filter((name) => !known.has(plainName(name)));
}

const TELLING = /^(?:message|messages|detail|details|description|reason|error_description|error|errors|title|msg)$/i;
const LONGEST_SAID = 160;

/** What a rejection says in words, shortened: `"Validation failed: \"segments[0]\" is required"`; empty if it says nothing. */
export function quoteRejection(body: string): string {
  const plain = (findWords(readBody(body), true) ?? findWords(readBody(body), false) ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain === '' ? '' : JSON.stringify(cutText(plain, LONGEST_SAID));
}

function findWords(value: unknown, isNamed: boolean, name = ''): string | undefined {
  if (typeof value === 'string') {
    const isTelling = isNamed ? TELLING.test(name) : name === '' || /\S\s+\S/.test(value);
    return isTelling && value.trim() !== '' ? value : undefined;
  }
  if (Array.isArray(value))
    return value.map((each) => findWords(each, isNamed, name)).find((each) => each !== undefined);
  const found = Object.entries(asObject(value)).map(([key, inside]) => findWords(inside, isNamed, key));
  return found.find((each) => each?.trim().includes(' ')) ?? found.find((each) => each !== undefined);
}

const LONGEST_PATH = 80;

function readSaid(body: string): { words: Set<string>; texts: string[] } {
  const found = { words: new Set<string>(), texts: [] as string[] };
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      found.texts.push(value);
      if (value.length <= LONGEST_PATH && /^[\w.[\]/#$-]+$/.test(value))
        for (const part of value.split(/[./[\]#$]/)) found.words.add(plainName(part));
      return;
    }
    if (Array.isArray(value)) return value.forEach(collect);
    for (const [name, inside] of Object.entries(asObject(value))) {
      found.words.add(plainName(name));
      collect(inside);
    }
  };
  collect(readBody(body));
  return found;
}

function readBody(body: string): unknown {
  const read = parseJson(body);
  return read.ok ? read.value : body;
}
