import { readOnce } from '../../../contract/document/document.js';
import { findResponse } from '../../../contract/operations/operations.js';
import type { ResponseHeaders } from '../../../contract/message.js';
import type { Call } from '../../world/world.js';
import { readHeaderPlan } from '../answer-record.js';
import { writeCursor } from './cursor.js';
import type { Chosen, Page } from './page.js';
import type { Served } from '../served.js';

const TOTAL = /^x-(?:total(?:-?(?:count|items|results|records|elements))?|count|pagination-total(?:-?count)?)$/i;

interface ListHeaders {
  /** The field that states the number of records. */
  total: string | undefined;
  /** Whether the contract has the field `Link` (RFC 8288). */
  hasLink: boolean;
  required: ResponseHeaders | undefined;
}

const readListHeaders = readOnce(findListHeaders);

function findListHeaders(served: Served): ListHeaders {
  const { operation, success } = served.role;
  const names = findResponse(operation, success.status)?.headers.map(({ name }) => name) ?? [];
  const { required } = readHeaderPlan(served);
  return {
    total: names.find((name) => TOTAL.test(name)),
    hasLink: names.some((name) => name.toLowerCase() === 'link'),
    required: Object.keys(required).length === 0 ? undefined : required,
  };
}

/** The header fields about a page, as far as the contract has them. */
export function describeTotal(chosen: Chosen, page: Page, call: Call, served: Served): ResponseHeaders | undefined {
  const { total, hasLink, required } = readListHeaders(served);
  if (total === undefined && !hasLink && required === undefined) return undefined;
  const end = chosen.offset + chosen.records.length;
  const last = chosen.records.at(-1)?.record[served.kept.key?.property ?? ''];
  const hasMore = hasLink && end < chosen.total();
  return {
    ...required,
    ...(total === undefined ? {} : { [total]: String(chosen.total()) }),
    ...(hasMore ? { Link: `<${linkTo(end, last, page, call, served)}>; rel="next"` } : {}),
  };
}

/** The URL of the page that begins at an offset, as anyone may see it: whoever follows it shows credentials of their own. */
export function linkTo(end: number, last: unknown, page: Page, { request }: Call, served: Served): string {
  const { paging } = served.role.list ?? {};
  const query = new URLSearchParams(request.query);
  for (const { kind, at } of served.role.operation.security.flat()) if (kind === 'query') query.delete(at);
  if (paging?.kind === 'cursor') query.set(paging.cursor, writeCursor(last, served));
  if (paging?.kind === 'offset' && paging.offset !== undefined)
    query.set(paging.offset, String(end + (paging.first ?? 0)));
  if (paging?.kind === 'page')
    query.set(paging.page, String(paging.first + Math.floor(end / Math.max(page.limit ?? 1, 1))));
  const { host } = request.headers;
  const origin = host === undefined ? 'http://localhost' : `http://${host}`;
  return `${origin}${request.mountPath}${request.path}?${query.toString()}`;
}
