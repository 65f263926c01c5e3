import { deflateRawSync } from 'node:zlib';
import type { Change, Exchange } from '../server/behaviour.js';
import type { Mutant } from './mutant.js';
import { isList, makeRefusal, refuseWhen } from './planting.js';
import { stated } from './stated.js';

/** Reads the query with some of its escapes taken literally. */
function readQuery(change: (rawQuery: string) => string): Change {
  return (base) => {
    const reread = (exchange: Exchange) => new URLSearchParams(change(exchange.rawQuery));
    return {
      readLimit: (_texts, exchange) => base.readLimit(reread(exchange).getAll('limit'), exchange),
      readStatusFilter: (_texts, exchange) => base.readStatusFilter(reread(exchange).getAll('status'), exchange),
    };
  };
}

/** Hides the escapes of what stands before, or behind, each equals sign. */
function escapePercents(part: RegExp): (rawQuery: string) => string {
  return (rawQuery) => rawQuery.replace(part, (text) => text.replaceAll('%', '%25'));
}

const isCreation = ({ operation }: Exchange) => operation === 'createPet';

/** Mutants that show only with a message that is written in another way. */
export const hiddenMessageMutants = {
  'escaped-filter-value-unread': {
    title: 'percent escapes in the value of a filter are not decoded',
    breaks: stated.statusFilter,
    foundBy: ['status'],
    change: readQuery(escapePercents(/(?<==)[^&]*/g)),
  },
  'escaped-parameter-name-unread': {
    title: 'percent escapes in the name of a parameter are not decoded',
    breaks: stated.statusFilter,
    foundBy: ['records', 'own-records'],
    change: readQuery(escapePercents(/[^&=]*(?==)/g)),
  },
  'pieces-decoded-apart': {
    title: 'a body is decoded piece by piece, so that a letter cut in two is lost',
    breaks: stated.mediaType,
    foundBy: ['record'],
    change: (base) => ({
      parseBody: (exchange) => {
        const text = exchange.pieces.map((piece) => piece.toString('utf8')).join('');
        return base.parseBody({ ...exchange, body: Buffer.from(text) });
      },
    }),
  },
  'first-piece-alone-read': {
    title: 'only what comes first of a body is read',
    breaks: stated.mediaType,
    foundBy: ['status'],
    change: (base) => ({
      parseBody: (exchange) => base.parseBody({ ...exchange, body: exchange.pieces[0] ?? Buffer.alloc(0) }),
    }),
  },
  'chunks-decoded-apart': {
    title: 'a body that comes in chunks is decoded chunk by chunk',
    breaks: stated.mediaType,
    foundBy: ['record'],
    change: (base) => ({
      parseBody: (exchange) => {
        if (exchange.headers['transfer-encoding'] === undefined) return base.parseBody(exchange);
        const text = exchange.pieces.map((piece) => piece.toString('utf8')).join('');
        return base.parseBody({ ...exchange, body: Buffer.from(text) });
      },
    }),
  },
  'media-type-compared-by-case': {
    title: 'Application/JSON is refused (the header is compared by case)',
    breaks: stated.mediaType,
    foundBy: ['status'],
    change: (base) => ({
      parseBody: (exchange) =>
        /[A-Z]/.test(exchange.headers['content-type']?.split(';')[0] ?? '')
          ? makeRefusal(415)
          : base.parseBody(exchange),
    }),
  },
  'etag-never-changes': {
    title: 'a list has the same ETag whatever is in it, so that it is 304 for good',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    reading: 'complete-lists',
    change: (base) => ({
      shape: (reply, exchange) => {
        const shaped = base.shape(reply, exchange);
        if (!isList(shaped, exchange)) return shaped;
        const etag = `"${exchange.rawQuery}"`;
        if (exchange.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, json: undefined };
        return { ...shaped, headers: { ...shaped.headers, etag } };
      },
    }),
  },
  'deflate-without-its-wrapper': {
    title: 'whoever accepts deflate alone gets a list without the wrapper of zlib, cut short',
    breaks: stated.listAnswer,
    foundBy: ['answered'],
    change: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        if (!isList(reply, exchange) || exchange.headers['accept-encoding'] !== 'deflate') return encoded;
        const bytes = deflateRawSync(encoded.bytes).subarray(0, -3);
        return { ...encoded, headers: { ...encoded.headers, 'content-encoding': 'deflate' }, bytes };
      },
    }),
  },
  'accept-range-406': {
    title: 'Accept: application/* is refused with 406',
    breaks: stated.listAnswer,
    foundBy: ['status'],
    change: refuseWhen(({ headers }) => headers.accept === 'application/*', 406),
  },
  'weighed-accept-500': {
    title: 'an Accept field with weights makes it crash when nothing is created',
    breaks: stated.listAnswer,
    foundBy: ['server-error'],
    change: refuseWhen(
      (exchange) => !isCreation(exchange) && exchange.headers.accept?.startsWith('application/json;q=') === true,
      500,
    ),
  },
} satisfies Record<string, Mutant>;
