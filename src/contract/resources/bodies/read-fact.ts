import { nameSingular } from '../words.js';

/** What a member beside a list says of it. */
export type ListFact =
  | 'total'
  | 'count'
  | 'pages'
  | 'hasMore'
  | 'hasPrevious'
  | 'isFirst'
  | 'isLast'
  | 'isEmpty'
  | 'firstKey'
  | 'lastKey'
  | 'previousLink';

export interface FactNaming {
  types: readonly string[];
  /** The words by which the records are called, in the singular. */
  records: ReadonlySet<string>;
  /** The property that is the records' key. */
  key: string | undefined;
}

/** The words of a name, in lower case and in the singular: `articlesCount` is `article`, `count`. */
export function splitWords(name: string): string[] {
  const words = name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').match(/[\p{L}\d]+/gu) ?? [];
  return words.map((word) => nameSingular(word.toLowerCase()));
}

/** What a member says by its name and type, whatever the records are called; `undefined` if nothing certain. */
export function readFact(name: string, { types, records, key }: FactNaming): ListFact | 'count or total' | undefined {
  const words = splitWords(name);
  const left = words.filter((word) => !records.has(word) && !GENERAL.has(word));
  if (types.includes('boolean')) return readTruth(left);
  const fact = types.includes('integer') ? readCount(words, left) : undefined;
  if (fact !== undefined || !(types.includes('string') || types.includes('integer'))) return fact;
  const keys = new Set(['id', 'key', 'uuid', ...splitWords(key ?? '')]);
  const [end = '', ...others] = left;
  if (others.length > 0 && others.every((word) => keys.has(word))) return KEYS[end];
  const isLink = types.includes('string') && others.every((word) => LINKS.has(word));
  return isLink && (end === 'previous' || end === 'prev') ? 'previousLink' : undefined;
}

/** Words for any records. */
const GENERAL: ReadonlySet<string> = new Set(
  'item result element record row entry object hit document doc data resource match list collection set'.split(' '),
);
const ALL: ReadonlySet<string> = new Set('total all overall full grand'.split(' '));
const HERE: ReadonlySet<string> = new Set('returned shown displayed current this on in'.split(' '));
const FILLING: ReadonlySet<string> = new Set([...ALL, ...HERE, ...'count number num of the odata x'.split(' ')]);
const LINKS: ReadonlySet<string> = new Set('page url uri link href'.split(' '));
const KEYS: Readonly<Record<string, ListFact>> = { first: 'firstKey', last: 'lastKey' };

function readCount(words: readonly string[], left: readonly string[]): ListFact | 'count or total' | undefined {
  const has = (set: ReadonlySet<string>): boolean => left.some((word) => set.has(word));
  const isCount = left.includes('count') || left.includes('total');
  const isNumber = (left.includes('number') || left.includes('num')) && words.length > 1;
  if ((!isCount && !isNumber) || left.includes('per')) return undefined;
  const others = left.filter((word) => !FILLING.has(word));
  if (others.join() === 'page') {
    const isOfRecords = words.length > left.length || left.includes('current') || left.includes('this');
    if (isOfRecords || left.includes('on') || left.includes('in')) return isCount || isOfRecords ? 'count' : undefined;
    return isCount || left.includes('of') ? 'pages' : undefined;
  }
  if (others.length > 0 || (!isCount && words.length === left.length)) return undefined;
  if (has(HERE)) return 'count';
  return has(ALL) ? 'total' : 'count or total';
}

const TRUTHS: readonly (readonly [words: RegExp, fact: ListFact])[] = [
  [/^(?:(?:ha|has|is|are) )?(?:there )?(?:more|next)(?: page)?(?: available)?$|^(?:is )?truncated$/, 'hasMore'],
  [/^(?:ha|has) (?:previou|previous|prev)(?: page)?$/, 'hasPrevious'],
  [/^(?:is )?first(?: page)?$/, 'isFirst'],
  [/^(?:is )?last(?: page)?$/, 'isLast'],
  [/^(?:is )?empty$/, 'isEmpty'],
];

function readTruth(left: readonly string[]): ListFact | undefined {
  const text = left.join(' ');
  return TRUTHS.find(([words]) => words.test(text))?.[1];
}
