import type { Change, Exchange } from '../server/behaviour.js';
import type { EncodedReply } from '../server/replies.js';
import { answerVariants } from '../variants/answers.js';
import { breaking, type Mutant } from './mutant.js';
import { stated } from './stated.js';

const tag = answerVariants['etag-and-304'].change;

/** Returns a part of a pet where one is asked for, as RFC 9110 section 14 has it. */
const needs: Change = (base) => {
  const tagged = { ...base, ...tag(base) };
  return {
    encode: (reply, exchange) => {
      const encoded = tagged.encode(reply, exchange);
      if (exchange.operation !== 'getPet' || exchange.method !== 'GET' || encoded.status !== 200) return encoded;
      const whole = { ...encoded, headers: { ...encoded.headers, 'accept-ranges': 'bytes' } };
      const range = readRange(exchange, whole.bytes.length);
      return range === undefined ? whole : cut(whole, range);
    },
  };
};

type Range = { from: number; to: number; whole: number };

function readRange({ headers }: Exchange, whole: number): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, whole - Number(last)) : Number(first);
  const to = first === '' || last === '' ? whole - 1 : Math.min(whole - 1, Number(last));
  return { from, to, whole };
}

function cut({ headers, bytes }: EncodedReply, { from, to, whole }: Range): EncodedReply {
  if (from >= whole)
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${whole}` }, bytes: EMPTY_ERROR };
  const range = `bytes ${from}-${to}/${whole}`;
  return { status: 206, headers: { ...headers, 'content-range': range }, bytes: bytes.subarray(from, to + 1) };
}

const EMPTY_ERROR = Buffer.from('{"code":"no_such_range","message":"There is no such part.","status":416}');

/** Changes the part that a range names. */
function part(isMeant: RegExp, change: (encoded: EncodedReply, range: Range) => EncodedReply): Change {
  return (base) => ({
    encode: (reply, exchange) => {
      const encoded = base.encode(reply, exchange);
      if (exchange.operation !== 'getPet' || !isMeant.test(exchange.headers.range ?? '')) return encoded;
      const whole = base.encode(reply, { ...exchange, headers: { ...exchange.headers, range: undefined } });
      const range = readRange(exchange, whole.bytes.length);
      return range === undefined || whole.status !== 200 ? encoded : change(whole, range);
    },
  });
}

/** Mutants that a part of a response shows, where a service returns parts. */
export const partMutants = {
  ...breaking(stated.getAnswer, ['validators', 'status'], { needs }).by({
    'last-octets-are-first: who asks for the last octets of a pet gets the first ones': part(
      /=-/,
      (whole, { to, from, whole: all }) => cut(whole, { from: 0, to: to - from, whole: all }),
    ),
    'part-is-longer: a part has an octet more than was asked for': part(
      /^bytes=0-/,
      (whole, { from, to, whole: all }) => cut(whole, { from, to: Math.min(all - 1, to + 1), whole: all }),
    ),
    'part-says-another: a part says that it begins an octet earlier than it does': part(/^bytes=3-/, (whole, range) => {
      const cutAt = cut(whole, range);
      const { from, to, whole: all } = range;
      return {
        ...cutAt,
        headers: { ...cutAt.headers, 'content-range': `bytes ${from + 1}-${to}/${all}` },
        bytes: cutAt.bytes.subarray(0, -1),
      };
    }),
    'part-beyond-the-end: a part beyond the end of a pet is its last octet': part(
      /^bytes=9{4}/,
      (whole, { whole: all }) => cut(whole, { from: all - 1, to: all - 1, whole: all }),
    ),
  }),
} satisfies Record<string, Mutant>;
