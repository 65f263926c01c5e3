import { deflateRawSync } from 'node:zlib';
import type { Change, Exchange } from '../server/behaviour.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.statusFilter, ['status']).by({
    'escaped-filter-value-unread: percent escapes in the value of a filter are not decoded': readQuery(
      escapePercents(/(?<==)[^&]*/g),
    ),
  }),
  ...breaking(stated.statusFilter, ['records', 'own-records']).by({
    'escaped-parameter-name-unread: percent escapes in the name of a parameter are not decoded': readQuery(
      escapePercents(/[^&=]*(?==)/g),
    ),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'pieces-decoded-apart: a body is decoded piece by piece, so that a letter cut in two is lost': (base) => ({
      parseBody: (exchange) => {
        const text = exchange.pieces.map((piece) => piece.toString('utf8')).join('');
        return base.parseBody({ ...exchange, body: Buffer.from(text) });
      },
    }),
    'chunks-decoded-apart: a body that comes in chunks is decoded chunk by chunk': (base) => ({
      parseBody: (exchange) => {
        if (exchange.headers['transfer-encoding'] === undefined) return base.parseBody(exchange);
        const text = exchange.pieces.map((piece) => piece.toString('utf8')).join('');
        return base.parseBody({ ...exchange, body: Buffer.from(text) });
      },
    }),
  }),
  ...breaking(stated.mediaType, ['status']).by({
    'first-piece-alone-read: only what comes first of a body is read': (base) => ({
      parseBody: (exchange) => base.parseBody({ ...exchange, body: exchange.pieces[0] ?? Buffer.alloc(0) }),
    }),
    'media-type-compared-by-case: Application/JSON is refused (the header is compared by case)': (base) => ({
      parseBody: (exchange) =>
        /[A-Z]/.test(exchange.headers['content-type']?.split(';')[0] ?? '')
          ? makeRefusal(415)
          : base.parseBody(exchange),
    }),
  }),
  ...breaking(stated.listAnswer, ['status'], { reading: 'complete-lists' }).by({
    'etag-never-changes: a list has the same ETag whatever is in it, so that it is 304 for good': (base) => ({
      shape: (reply, exchange) => {
        const shaped = base.shape(reply, exchange);
        if (!isList(shaped, exchange)) return shaped;
        const etag = `"${exchange.rawQuery}"`;
        if (exchange.headers['if-none-match'] === etag) return { status: 304, headers: { etag }, json: undefined };
        return { ...shaped, headers: { ...shaped.headers, etag } };
      },
    }),
  }),
  ...breaking(stated.listAnswer, ['answered']).by({
    'deflate-without-its-wrapper: whoever accepts deflate alone gets a list without the wrapper of zlib, cut short': (
      base,
    ) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        if (!isList(reply, exchange) || exchange.headers['accept-encoding'] !== 'deflate') return encoded;
        const bytes = deflateRawSync(encoded.bytes).subarray(0, -3);
        return { ...encoded, headers: { ...encoded.headers, 'content-encoding': 'deflate' }, bytes };
      },
    }),
  }),
  ...breaking(stated.listAnswer, ['status']).by({
    'accept-range-406: Accept: application/* is refused with 406': refuseWhen(
      ({ headers }) => headers.accept === 'application/*',
      406,
    ),
  }),
  ...breaking(stated.listAnswer, ['server-error']).by({
    'weighed-accept-500: an Accept field with weights makes it crash when nothing is created': refuseWhen(
      (exchange) => !isCreation(exchange) && exchange.headers.accept?.startsWith('application/json;q=') === true,
      500,
    ),
  }),
} satisfies Record<string, Mutant>;
