// What a refusal names: a hint for the next request, which proves nothing.
import { asObject } from '../../contract/document/plain.js';
import { parseJson, cutText } from '../../contract/document/json.js';
import { plainName } from '../../contract/resources/words.js';

/** Of these names, those that a refusal has, the plainest first: as a key or a value of its own, in quotes, as a word. */
export function listNamed(body: string, names: readonly string[]): string[] {
  const said = readSaid(body);
  return names
    .map((name) => ({ name, rank: rankOf(name, said) }))
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

/** What a refusal says in words, shortened: `"Validation failed: \"segments[0]\" is required"`; empty if it says nothing. */
export function quoteRefusal(body: string): string {
  const text = findWords(readBody(body), true) ?? findWords(readBody(body), false) ?? '';
  const plain = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain === '' ? '' : JSON.stringify(cutText(plain, LONGEST_SAID));
}

/** The first text, under a name by which messages go; or any that has several words. */
function findWords(value: unknown, isNamed: boolean, name = ''): string | undefined {
  if (typeof value === 'string')
    return (isNamed ? TELLING.test(name) : name === '' || /\S\s+\S/.test(value)) && value.trim() !== ''
      ? value
      : undefined;
  if (Array.isArray(value))
    return value.map((each) => findWords(each, isNamed, name)).find((each) => each !== undefined);
  const found = Object.entries(asObject(value)).map(([key, inside]) => findWords(inside, isNamed, key));
  // A sentence says more than a word.
  return found.find((each) => each?.trim().includes(' ')) ?? found.find((each) => each !== undefined);
}

interface Said {
  /** Keys, texts that are one word, and the parts of paths: `body.name`, `/items/0`. */
  words: ReadonlySet<string>;
  texts: readonly string[];
}

const LONGEST_PATH = 80;

function readSaid(body: string): Said {
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

/** However its words are put together: `callSign`, `call_sign`, `call sign`. */
function spellWords(name: string): string {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|[_\s-]+/).filter((word) => word !== '');
  return words.map((word) => word.replaceAll(/[^\w]/g, '\\$&')).join('[\\s_-]?');
}

function rankOf(name: string, { words, texts }: Said): number {
  if (words.has(plainName(name))) return 3;
  const own = spellWords(name);
  if (texts.some((text) => new RegExp(`["'\`]${own}["'\`]`, 'i').test(text))) return 2;
  return texts.some((text) => new RegExp(`(?<![\\w-])${own}(?![\\w-])`, 'i').test(text)) ? 1 : 0;
}
