// Header fields as RFC 9110 lets a client write them, and that change nothing about an answer in JSON.
import type { Chance } from './chance.js';

export interface FieldLine {
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
