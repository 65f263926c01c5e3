import type { Contract } from '../../contract/contract.js';
import type { Envelope, Paging, RoleOperation } from '../../contract/resources/resource.js';
import { MOST_PAGES, type PageWalk } from '../model/records.js';
import { Inapplicable } from './binding.js';
import type { RoleStep } from './role-scenario.js';
import type { Subject } from './subject.js';
import { linksNext, nameCursorOf, readBounds, sizeParameter } from './tables/lists/bounds.js';

/** The page length to request if the contract sets no bound. */
const LONG_PAGE = 100;

type PagesAsked = Exclude<NonNullable<RoleStep['pages']>, true>;

/** How to read a list page by page: what to send, and how to tell that a page is the last. */
export function bindPages(
  subject: Subject,
  asked: unknown,
  contract: Contract,
): { walk: PageWalk; parameters: Record<string, unknown>; given: object } {
  const { list } = subject.roles;
  const paging = list?.list?.paging;
  const size = sizeParameter(paging);
  const bounds = readBounds(subject, contract);
  const { size: own, total, first, links, from, atMost = MOST_PAGES } = asked as PagesAsked;
  const longest = bounds?.most ?? [LONG_PAGE, 50, 20, 10].find((length) => bounds?.allows(length) === true);
  const isSized = size !== undefined && (own !== undefined || longest !== undefined);
  const length = isSized ? Number(own ?? longest) : undefined;
  const turning = turnBy(paging);
  const { success } = list ?? {};
  const cursorOf = turning.kind === 'cursor' ? nameCursorOf(subject) : undefined;
  const hasLink = linksNext(list);
  const walk = {
    ...turning,
    ...(cursorOf === undefined ? {} : { cursorOf }),
    ...describe(success?.envelope),
    ...(hasLink ? { hasLink } : {}),
    at: (success?.envelope?.member ?? []).map((name) => `/${name}`).join(''),
  };
  return {
    walk: {
      ...walk,
      // A total that is judged does not say where the list ends.
      ...(total === undefined ? nameTotal(list) : { total: undefined }),
      isForAll: own === undefined,
      beyond: listRefusalsBeyond(list),
      atMost: turning.parameter === undefined || first === true ? 1 : atMost,
      ...(length === undefined ? {} : { length }),
      ...(links === undefined || list === undefined ? {} : followLinks(list, hasLink)),
      ...(from === undefined ? {} : { from }),
    },
    parameters: {
      ...(size === undefined || length === undefined ? {} : { [size]: length }),
      ...(turning.parameter === undefined ? {} : { [turning.parameter]: '$each#/turn' }),
    },
    given: { page: '$each', ...(total === undefined ? {} : { total: findTotal(list) }) },
  };
}

/** A key in the query stands in the step, and may in the link too. */
function followLinks({ operation, success }: RoleOperation, hasHeader: boolean): Pick<PageWalk, 'follows'> {
  const { security, path } = operation;
  const hasKeyInQuery = security.flat().some((scheme) => scheme.kind === 'query');
  if (hasKeyInQuery || (success.envelope?.nextLink === undefined && !hasHeader)) return {};
  const parts = path.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return { follows: `${parts.join('[^/]+')}/?$` };
}

function nameTotal(list: RoleOperation | undefined): Pick<PageWalk, 'totalHeader'> {
  const totalHeader = findTotalHeader(list)?.toLowerCase();
  return totalHeader === undefined || list?.success.envelope?.total !== undefined ? {} : { totalHeader };
}

/** The statuses with which a list may refuse a valid request: because there is no such page (RFC 9110 section 15.5.5). */
function listRefusalsBeyond(list: RoleOperation | undefined): number[] {
  const stated = new Set(list?.operation.responses.map(({ status }) => status));
  return [404, ...[400, 416, 422].filter((status) => stated.has(String(status)))];
}

const TOTAL = /^(?:x-)?(?:total(?:-(?:count|items|records))?|count-total)$/i;

/** Where a list says how many records there are on all its pages. */
function findTotal(list: RoleOperation | undefined): { at: string } | { header: string } {
  const { envelope } = list?.success ?? {};
  if (envelope?.total !== undefined) return { at: envelope.total.map((name) => `/${name}`).join('') };
  const header = findTotalHeader(list);
  if (header === undefined) throw new Inapplicable('a total');
  return { header };
}

function findTotalHeader(list: RoleOperation | undefined): string | undefined {
  const response = list?.operation.responses.find((each) => each.status === String(list.success.status));
  return response?.headers.find(({ name }) => TOTAL.test(name))?.name;
}

type Turning = Pick<PageWalk, 'kind' | 'parameter' | 'first'>;

function turnBy(paging: Paging | undefined): Turning {
  if (paging?.kind === 'page') return { kind: 'page', parameter: paging.page, first: paging.first };
  if (paging?.kind === 'cursor') return { kind: 'cursor', parameter: paging.cursor, first: 0 };
  if (paging?.kind === 'offset') return { kind: 'offset', parameter: paging.offset, first: paging.first ?? 0 };
  return { kind: 'offset', parameter: undefined, first: 0 };
}

function describe(envelope: Envelope | undefined): Pick<PageWalk, 'total' | 'cursorAt' | 'linkAt' | 'moreAt'> {
  const at = (member: readonly string[] | undefined): string | undefined =>
    member === undefined ? undefined : member.map((name) => `/${name}`).join('');
  return {
    total: at(envelope?.total),
    cursorAt: at(envelope?.nextCursor),
    linkAt: at(envelope?.nextLink),
    moreAt: at(envelope?.hasMore),
  };
}
