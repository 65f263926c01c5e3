// How the contract says that a list is read in pages, and how a run reads it.
import type { Contract } from '../../contract/contract.js';
import type { Parameter } from '../../contract/model.js';
import type { Paging, RoleOperation } from '../../contract/resources/resource.js';
import { MOST_PAGES, type PageWalk } from '../model/records.js';
import { need } from './instance.js';
import type { RoleStep } from '../model/scenario.js';
import type { Subject } from './resource-under-test.js';

export function sizeParameter(paging: Paging | undefined): string | undefined {
  if (paging === undefined) return undefined;
  return paging.kind === 'page' ? paging.size : paging.limit;
}

export function findQuery(role: RoleOperation | undefined, name: string | undefined): Parameter | undefined {
  return role?.operation.parameters.find((each) => each.in === 'query' && each.name === name);
}

export function readBounds({ roles: { list } }: Subject, { validate }: Contract) {
  const parameter = findQuery(list, sizeParameter(list?.list?.paging));
  if (parameter === undefined) return undefined;
  const { schema, schemaPointer } = parameter;
  const listed = Array.isArray(schema['enum']) ? schema['enum'].filter((value) => typeof value === 'number') : [];
  const most = listed.length > 0 ? Math.max(...listed) : schema['maximum'];
  return {
    most: typeof most === 'number' ? most : undefined,
    allows: (limit: number) => schemaPointer === undefined || validate.value(schemaPointer, limit).length === 0,
  };
}

function nameCursorOf({ resource: { key }, roles: { list } }: Subject): string | undefined {
  const { paging } = list?.list ?? {};
  const isAfter =
    paging?.kind === 'cursor' && /^(?:starting_?after|after_?id|after|since_?id|last_?id)$/i.test(paging.cursor);
  const { nextCursor, nextLink } = list?.success.envelope ?? {};
  return isAfter && (nextCursor ?? nextLink) === undefined ? key.property : undefined;
}

export function isWalkable(subject: Subject): boolean {
  const { list } = subject.roles;
  const { paging } = list?.list ?? {};
  if (paging === undefined) return false;
  if (paging.kind === 'offset') return paging.offset !== undefined;
  const { nextCursor, nextLink } = list?.success.envelope ?? {};
  return paging.kind === 'page' || linksNext(list) || (nextCursor ?? nextLink ?? nameCursorOf(subject)) !== undefined;
}

/** Whether the contract has a `Link` header field in the response of a list: with `rel="next"`, it leads to the next page (RFC 8288). */
export const linksNext = (list: RoleOperation | undefined): boolean => findHeader(list, /^link$/i) !== undefined;

function findHeader(list: RoleOperation | undefined, pattern: RegExp): string | undefined {
  const response = list?.operation.responses.find(({ status }) => status === String(list.success.status));
  return response?.headers.find(({ name }) => pattern.test(name))?.name;
}

type PagesAsked = Exclude<NonNullable<RoleStep['pages']>, true>;

export function bindPages(subject: Subject, asked: unknown, contract: Contract) {
  const { list } = subject.roles;
  const { envelope } = list?.success ?? {};
  const size = sizeParameter(list?.list?.paging);
  const bounds = readBounds(subject, contract);
  const { size: own, total, first, links, from, atMost = MOST_PAGES } = asked as PagesAsked;
  const longest = bounds?.most ?? [100, 50, 20, 10].find((length) => bounds?.allows(length) === true);
  const isSized = size !== undefined && (own !== undefined || longest !== undefined);
  const length = isSized ? Number(own ?? longest) : undefined;
  const turning = turnBy(list?.list?.paging);
  const cursorOf = turning.kind === 'cursor' ? nameCursorOf(subject) : undefined;
  const hasLink = linksNext(list);
  const totalHeader = findHeader(list, /^(?:x-)?(?:total(?:-(?:count|items|records))?|count-total)$/i);
  const at = (member: readonly string[] | undefined): string | undefined => member?.map((name) => `/${name}`).join('');
  const isInHeader = envelope?.total === undefined && totalHeader !== undefined;
  const ofTotal = isInHeader ? { totalHeader: totalHeader.toLowerCase() } : {};
  const whole = envelope?.total === undefined ? undefined : { at: at(envelope.total) };
  // The statuses of a valid request for a page that there is not (RFC 9110 section 15.5.5).
  const stated = new Set(list?.operation.responses.map(({ status }) => status));
  const beyond = [404, ...[400, 416, 422].filter((status) => stated.has(String(status)))];
  return {
    walk: {
      ...turning,
      ...(cursorOf === undefined ? {} : { cursorOf }),
      total: at(envelope?.total),
      cursorAt: at(envelope?.nextCursor),
      linkAt: at(envelope?.nextLink),
      moreAt: at(envelope?.hasMore),
      ...(hasLink ? { hasLink } : {}),
      at: at(envelope?.member) ?? '',
      ...(total === undefined ? ofTotal : { total: undefined }),
      isForAll: own === undefined,
      beyond,
      atMost: turning.parameter === undefined || first === true ? 1 : atMost,
      ...(length === undefined ? {} : { length }),
      ...(links === undefined || list === undefined ? {} : followLinks(list, hasLink)),
      ...(from === undefined ? {} : { from }),
    },
    parameters: {
      ...(size === undefined || length === undefined ? {} : { [size]: length }),
      ...(turning.parameter === undefined ? {} : { [turning.parameter]: '$each#/turn' }),
    },
    given: {
      page: '$each',
      ...(total === undefined ? {} : { total: whole ?? { header: need(totalHeader, 'a total') } }),
    },
  };
}

function followLinks({ operation, success }: RoleOperation, hasHeader: boolean): Pick<PageWalk, 'follows'> {
  const { security, path } = operation;
  const hasKeyInQuery = security.flat().some((scheme) => scheme.kind === 'query');
  if (hasKeyInQuery || (success.envelope?.nextLink === undefined && !hasHeader)) return {};
  const parts = path.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { follows: `${parts.join('[^/]+')}/?$` };
}

function turnBy(paging: Paging | undefined): Pick<PageWalk, 'kind' | 'parameter' | 'first'> {
  if (paging?.kind === 'page') return { kind: 'page', parameter: paging.page, first: paging.first };
  if (paging?.kind === 'cursor') return { kind: 'cursor', parameter: paging.cursor, first: 0 };
  return { kind: 'offset', parameter: paging?.offset, first: paging?.first ?? 0 };
}
