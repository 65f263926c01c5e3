import type { Envelope } from '../resource.js';
import type { SchemaView } from '../schema-view.js';
import { plainName } from '../words.js';

type Told = Exclude<keyof Envelope, 'member'>;

/** The names of members that describe a list, with the required type of each. */
const TELLS: readonly (readonly [told: Told, type: 'integer' | 'string' | 'boolean', names: readonly string[]])[] = [
  [
    'total',
    'integer',
    [
      'total',
      'totalcount',
      'totalitems',
      'totalresults',
      'totalelements',
      'totalrecords',
      'totalsize',
      'odatacount',
      'totalrows',
      'recordcount',
      'itemcount',
      'totalentries',
    ],
  ],
  ['pages', 'integer', ['totalpages', 'pagecount', 'pages', 'numpages', 'lastpage', 'pagestotal']],
  [
    'nextCursor',
    'string',
    [
      'nextcursor',
      'nextpagetoken',
      'nexttoken',
      'cursor',
      'nextpagecursor',
      'continuationtoken',
      'endcursor',
      'after',
      'nextmarker',
      'marker',
    ],
  ],
  [
    'nextLink',
    'string',
    ['next', 'nextlink', 'nexturl', 'nextpage', 'nextpageurl', 'nextpageuri', 'odatanextlink', 'nexthref'],
  ],
  ['page', 'integer', ['page', 'currentpage', 'pagenumber', 'number', 'pageindex', 'pageno', 'current']],
  ['limit', 'integer', ['limit', 'perpage', 'pagesize', 'size', 'itemsperpage', 'pagelimit', 'maxresults']],
  ['offset', 'integer', ['offset', 'skip', 'startindex', 'start']],
  ['hasMore', 'boolean', ['hasmore', 'hasnext', 'hasnextpage', 'more', 'hasmoreitems']],
];

/** The names of objects beside the records that contain such members. */
const INSIDE =
  /^(?:meta|metadata|pagination|paging|page|pageinfo|links|cursors?|responsemetadata|listinfo|resultinfo|info)$/;

/** Whether an object beside the records says something of their list, by its name. */
export function isAboutList(name: string): boolean {
  return INSIDE.test(plainName(name)) || /^(?:pageable|pager|paginator|summary)$/.test(plainName(name));
}

/** The meaning of the members around records. */
export function readEnvelope(view: SchemaView, body: string, member: string[]): Envelope {
  const around = member.map((_, index) => member.slice(0, index));
  const told = around.flatMap((path) => listTold(view, step(view, body, path), path, member));
  const envelope: Envelope = { member };
  // Beside `totalItems`, `itemCount` is the number in the answer.
  const isCount = ([what, path]: (typeof told)[number]): boolean =>
    what === 'total' && /^(?!.*total).*count$/i.test(path.at(-1) ?? '');
  for (const [what, path] of told.toSorted((a, b) => Number(isCount(a)) - Number(isCount(b)))) envelope[what] ??= path;
  return settleCount(view, body, envelope);
}

function step(view: SchemaView, body: string, path: readonly string[]): string {
  return path.reduce((at, name) => view.properties(at).get(name)?.schemaPointer ?? at, body);
}

function listTold(
  view: SchemaView,
  at: string,
  path: string[],
  records: readonly string[],
  depth = 0,
): (readonly [Told, string[]])[] {
  return [...view.properties(at).values()].flatMap(({ name, schemaPointer }) => {
    const here = [...path, name];
    if (here.join('/') === records.join('/')) return [];
    const plain = plainName(name);
    const types = view.types(schemaPointer);
    const known = TELLS.filter(([, type, names]) => names.includes(plain) && hasType(types, type)).map(
      ([told]) => [told, here] as const,
    );
    if (known.length > 0) return known;
    const isInside = depth < 2 && types.includes('object');
    if (isInside && INSIDE.test(plain)) return listTold(view, schemaPointer, here, records, depth + 1);
    const href = isInside && plain === 'next' ? view.findProperty(schemaPointer, 'href') : undefined;
    return href === undefined ? [] : [['nextLink', [...here, href.name]] as const];
  });
}

function hasType(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

/** Beside a total, `count` is the number of records in the answer; alone, it is the total, but only if the list has no pages. */
function settleCount(view: SchemaView, body: string, envelope: Envelope): Envelope {
  const around = envelope.member.map((_, index) => envelope.member.slice(0, index)).reverse();
  const [path] = around.flatMap((outer) => {
    const count = view.findProperty(step(view, body, outer), 'count');
    return count !== undefined && hasType(view.types(count.schemaPointer), 'integer') ? [[...outer, count.name]] : [];
  });
  if (path === undefined) return envelope;
  return envelope.total === undefined ? { ...envelope, total: path } : { ...envelope, count: path };
}
