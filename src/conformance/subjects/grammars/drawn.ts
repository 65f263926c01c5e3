// What is drawn from grammars, by the seed of a release, and as much of it as a run spends on it.
import { recordTypeOf } from '../../../contract/resources/plain-roles.js';
import { readAsOf } from './releases.js';
import type { Row } from '../../model/raw-scenario.js';
import { createChance, type Chance } from './chance.js';
import { WRITINGS, writeOtherwise } from './json-texts.js';
import { wrap } from '../request-body.js';
import { isOwnText } from '../records/unique-texts.js';
import { boundLimits, sizeParameter } from '../tables/lists/bounds.js';
import { quoteTexts, writeTemplate } from '../tables/odd.js';
import type { TableSource } from '../tables/table-source.js';
import { isAnyText } from '../tables/texts.js';
import { changeFields } from '../tables/values.js';

/** How many a run spends on each grammar: one request for a field, two for a text, three for a pair. */
const SPENT = { fields: 8, pairs: 2, queries: 2 };

function drawFor(name: string, { contract }: TableSource): Chance | undefined {
  const { seed } = readAsOf(contract.asOf);
  return seed === undefined ? undefined : createChance(seed, name);
}

/** Header fields (RFC 9110), but for those that the contract gives a meaning of its own. */
export function listDrawnFields(source: TableSource): Row[] {
  const draw = drawFor('fields', source);
  const get = source.subject.roles.get?.operation;
  const answers = get?.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const types = answers.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  if (
    draw === undefined ||
    get === undefined ||
    types.length === 0 ||
    types.some((type) => type !== 'application/json')
  )
    return [];
  const named = new Set(get.parameters.map(({ name }) => name.toLowerCase()));
  return drawFields(draw)
    .filter(({ name }) => !named.has(name.toLowerCase()))
    .slice(0, SPENT.fields)
    .map(({ production, name, value }) => ({
      id: production,
      words: `with \`${name}: ${value}\``,
      headers: { ...leaveOutOwn(name), [name]: value },
    }));
}

/** In place of the run's own, whose name has other letters. */
function leaveOutOwn(name: string): Record<string, null> {
  const own = ['Accept', 'Accept-Encoding', 'User-Agent'].find((each) => each.toLowerCase() === name.toLowerCase());
  return own === undefined ? {} : { [own]: null };
}

/** The full record, each time as the same JSON in other letters (RFC 8259). */
export function listDrawnTexts(source: TableSource): Row[] {
  const draw = drawFor('texts', source);
  const { create } = source.subject.roles;
  if (draw === undefined || create === undefined || recordTypeOf(create.operation) !== 'application/json') return [];
  const { full, plain } = source.made;
  const json = writeTemplate(wrap(quoteTexts(full, plain), create.requestMember));
  return Object.entries(WRITINGS).flatMap(([id, writing]) => {
    const text = writeOtherwise(json, writing, draw);
    return text === json ? [] : [{ id, words: writing.words, body: { text } }];
  });
}

/** Two texts that are one to a reader who folds letters (Unicode Standard Annex 15), behind the same text of the run's own. */
export function listDrawnPairs(source: TableSource): Row[] {
  const draw = drawFor('pairs', source);
  const { made, subject } = source;
  if (draw === undefined || subject.roles.create?.success.body !== 'record') return [];
  const given = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const put = (text: string): Record<string, unknown> =>
    changeFields(given, (field, own) => (isAnyText(field, own) && isOwnText(own) ? text : undefined), source);
  return drawEqualTexts(draw)
    .slice(0, SPENT.pairs)
    .flatMap(({ form, words, one, other }) => {
      const [first, second] = [put(`{$unique} ${one}`), put(`{$steps.first.outputs.unique} ${other}`)];
      if (Object.keys(first).length === 0 || Object.keys(second).length === 0) return [];
      return [{ id: form, words, record: { ...made.full, ...first }, second: { ...made.full, ...second } }];
    });
}

/** The length of a page, with letters of its name and its value as percent escapes in either case (RFC 3986 section 6.2.2). */
export function listDrawnQueries(source: TableSource): Row[] {
  const draw = drawFor('queries', source);
  const size = sizeParameter(source.subject.roles.list?.list?.paging);
  const isAllowed = boundLimits(source, [1]).length > 0;
  if (draw === undefined || size === undefined || !isAllowed) return [];
  const escape = (text: string): string =>
    Array.from(text, (sign) => {
      const digits = `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
      return draw.maybe(0.6) && /[\w.~-]/.test(sign) ? (draw.maybe() ? digits.toUpperCase() : digits) : sign;
    }).join('');
  return Array.from({ length: SPENT.queries }, (_, index) => ({
    id: String(index + 1),
    limit: 1,
    query: `${escape(size)}=${escape('1')}`,
  }));
}

// Texts that Unicode's tables take for equal, or nearly, and that are two all the same.

/** Blocks of letters whose tables no version of Unicode changes any more. */
const BLOCKS: readonly (readonly [from: number, to: number])[] = [
  [0xc0, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x1e00, 0x1eff],
  [0x2126, 0x212b],
  [0xac00, 0xd7a3],
  [0xff21, 0xff5a],
];

/** How the one becomes the other; the same where a letter has no such form. */
const FORMS: Readonly<Record<string, { words: string; of: (letter: string) => string }>> = {
  canonical: { words: 'in another Unicode normal form', of: (letter) => letter.normalize('NFD') },
  compatible: { words: 'with compatible letters', of: (letter) => letter.normalize('NFKC') },
  case: {
    words: 'in another case',
    of: (letter) => (letter.toUpperCase() === letter ? letter.toLowerCase() : letter.toUpperCase()),
  },
  accent: {
    words: 'without accents',
    of: (letter) => letter.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC'),
  },
  ignorable: { words: 'with an invisible character', of: (letter) => `${letter}\u200D` },
};

interface EqualTexts {
  form: string;
  words: string;
  one: string;
  other: string;
}

/** A pair of each form, in another order for each seed. */
export function drawEqualTexts(draw: Chance): EqualTexts[] {
  const left = Object.entries(FORMS);
  const drawn: EqualTexts[] = [];
  while (left.length > 0) {
    const [[form, { words, of }] = ['', { words: '', of: (text: string) => text }]] = left.splice(
      draw.below(left.length),
      1,
    );
    const one = drawWord(draw, of);
    drawn.push({ form, words, one, other: Array.from(one, of).join('') });
  }
  return drawn;
}

/** Three letters of which each has the form. */
function drawWord(draw: Chance, of: (letter: string) => string): string {
  let word = '';
  for (let tries = 0; tries < 5000 && Array.from(word).length < 3; tries += 1) {
    const [from, to] = draw.pick(BLOCKS);
    const letter = String.fromCodePoint(from + draw.below(to - from + 1));
    // What is no letter in its simplest form might be a sign of its own.
    if (/^\p{L}$/u.test(letter.normalize('NFC')) && of(letter) !== letter && letter.normalize('NFC') === letter)
      word += letter;
  }
  return word;
}

// Header fields as RFC 9110 lets a client write them, and that change nothing about an answer in JSON.

interface FieldLine {
  name: string;
  value: string;
}

/** By the production of the grammar that a value is made by. */
const PRODUCTIONS: Readonly<Record<string, (draw: Chance) => FieldLine>> = {
  'accept-weights': (draw) => ({
    name: 'Accept',
    value: writeList(draw, [...others(draw), weigh(draw, anyCase(draw, 'application/json'))]),
  }),
  'accept-ranges': (draw) => ({
    name: 'Accept',
    value: writeList(draw, [weigh(draw, draw.pick(['application/*', '*/*'])), ...others(draw)]),
  }),
  'accept-encoding': (draw) => ({
    name: 'Accept-Encoding',
    value: writeList(draw, [
      weigh(draw, anyCase(draw, draw.pick(['gzip', 'deflate', 'br']))),
      weigh(draw, 'x-no-such'),
      'identity',
    ]),
  }),
  'accept-language': (draw) => ({
    name: 'Accept-Language',
    value: writeList(draw, [weigh(draw, draw.pick(['de-CH-1996', 'zh-Hant-TW', 'sr-Latn', 'x-none'])), '*;q=0.1']),
  }),
  'cache-control': (draw) => ({
    name: 'Cache-Control',
    value: writeList(draw, [anyCase(draw, draw.pick(['no-cache', 'no-store', 'max-age=0'])), 'x-no-such="a, b"']),
  }),
  // A weak and a strong tag of nothing, one with a comma in it (RFC 9110 section 8.8.3).
  'if-none-match': (draw) => ({
    name: 'If-None-Match',
    value: writeList(draw, ['"no-such-tag"', 'W/"no-such-tag"', '"no,such,tag"'].slice(0, 2 + draw.below(2))),
  }),
  // The three forms of a date that a recipient must read (RFC 9110 section 5.6.7), and one that it must ignore (RFC 9110 section 13.1.3).
  'if-modified-since': (draw) => ({
    name: 'If-Modified-Since',
    value: draw.pick([
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
      'no date at all',
    ]),
  }),
  // A unit that nobody knows is ignored (RFC 9110 section 14.2).
  range: (draw) => ({ name: 'Range', value: `x-no-such=${draw.below(9)}-${9 + draw.below(90)}` }),
  'user-agent': (draw) => ({
    name: 'User-Agent',
    value: `x-${draw.below(100)}/1.0 (a comment (and one \\( within it)) other/${draw.below(9)}.0`,
  }),
  cookie: (draw) => ({ name: 'Cookie', value: `x-no-such=${draw.below(1000)}; other="quoted"` }),
  te: (draw) => ({ name: 'TE', value: writeList(draw, ['trailers', 'deflate;q=0.5']) }),
  from: () => ({ name: 'From', value: '"A, B" <nobody@example.com>' }),
  referer: (draw) => ({ name: 'Referer', value: `https://example.com/a?b=%2${draw.below(10)}&c` }),
  forwarded: () => ({ name: 'Forwarded', value: 'for="[2001:db8::17]:4711", FOR=192.0.2.43' }),
  unknown: (draw) => ({ name: "X-No!Such#Field$%&'*+.^_`|~", value: `${draw.below(1000)}` }),
};

/** One of each production, in another order for each seed, so that a budget tries others in the next release. */
export function drawFields(draw: Chance): (FieldLine & { production: string })[] {
  const left = Object.entries(PRODUCTIONS);
  const drawn: (FieldLine & { production: string })[] = [];
  while (left.length > 0) {
    const [[production, make] = ['', undefined]] = left.splice(draw.below(left.length), 1);
    if (make === undefined) break;
    const { name, value } = make(draw);
    // A name has no case (RFC 9110 section 5.1).
    drawn.push({ production, name: anyCase(draw, name), value });
  }
  return drawn;
}

/** A list, with spaces where there may be some, and elements that are empty (RFC 9110 section 5.6.1). */
function writeList(draw: Chance, items: readonly string[]): string {
  const comma = (): string => draw.pick([',', ', ', ' ,', ' , ', ',\t', ', ,']);
  const [first = '', ...rest] = items;
  return rest.reduce((text, each) => `${text}${comma()}${each}`, first);
}

/** With a weight (RFC 9110 section 12.4.2): the name of it has no case, and a zero may stand behind the point. */
function weigh(draw: Chance, text: string): string {
  if (draw.maybe(0.2)) return text;
  return `${text}${draw.pick([';', '; ', ' ;', ' ; '])}${draw.pick(['q', 'Q'])}=${draw.pick(['1', '1.0', '1.000', '0.9', '0.75', '0.001'])}`;
}

function others(draw: Chance): string[] {
  return [
    weigh(draw, draw.pick(['text/html', 'application/xml', 'image/*'])),
    ...(draw.maybe() ? ['text/plain;format=flowed;q=0.1'] : []),
  ];
}

function anyCase(draw: Chance, text: string): string {
  return Array.from(text, (letter) => (draw.maybe() ? letter.toUpperCase() : letter.toLowerCase())).join('');
}
