import { isCount, isFlag, isOneOf, isText } from './value-rules.js';

export type Item = Record<string, unknown>;

type Rule = { name: string; fits: (value: unknown) => boolean };

const isList =
  (fits: (item: unknown) => boolean, most = 100) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= most && value.every(fits);

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  customers: [
    { name: 'name', fits: isText(1, 60) },
    { name: 'email', fits: (value) => typeof value === 'string' && /^[^@\s]+@[^@\s]+$/.test(value) },
    { name: 'balance', fits: isCount(-1000, 1000) },
    { name: 'active', fits: isFlag },
    { name: 'tier', fits: isOneOf('plain', 'silver', 'gold') },
    { name: 'tags', fits: isList(isText(0, 1000), 3) },
    { name: 'numbers', fits: isList((each) => Number.isInteger(each)) },
    { name: 'metadata', fits: (value) => typeof value === 'object' },
    { name: 'notes', fits: isText(0, 200) },
  ],
  repairs: [
    { name: 'what', fits: isOneOf('frame', 'wheel', 'brake') },
    { name: 'price', fits: (value) => typeof value === 'number' && value >= 0 },
    { name: 'notes', fits: isText(0, 10_000) },
  ],
  designs: [
    { name: 'title', fits: isText(1, 60) },
    { name: 'width', fits: isCount(1, 900) },
    { name: 'kind', fits: isOneOf('sketch', 'plan') },
    { name: 'origin', fits: isOrigin },
  ],
  benches: [
    { name: 'material', fits: isOneOf('oak', 'steel') },
    { name: 'seats', fits: isCount(1, 9) },
    { name: 'notes', fits: isText(0, 100) },
  ],
  shelves: [
    { name: 'boards', fits: isCount(1, 12) },
    { name: 'number', fits: isCount(-1e15, 1e15) },
    { name: 'notes', fits: isText(0, 10_000) },
  ],
};

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  customers: ['name'],
  repairs: ['what'],
  designs: ['title'],
  benches: ['material'],
  shelves: ['number', 'boards'],
};

function isOrigin(value: unknown): boolean {
  const { town, year } = value as Item;
  return typeof town === 'string' && (year === undefined || Number.isInteger(year));
}

/** Why the workshop takes no such thing. */
export function judgeItem(
  name: string,
  item: Item,
  has: (change: string) => boolean,
  isPart: boolean,
): string | undefined {
  const rules = RULES[name] ?? [];
  const lacking = isPart ? undefined : REQUIRED[name]?.find((each) => !(each in item) && !has(`off:${each}.required`));
  if (lacking !== undefined) return `${lacking} is lacking`;
  const wrong = rules.find((each) => each.name in item && !each.fits(item[each.name]) && !has(`off:${each.name}`));
  if (wrong !== undefined) return `${wrong.name} is wrong`;
  const isClosed = name === 'customers' && !has('off:closed');
  const strange = Object.keys(item).find((each) => isClosed && !rules.some((rule) => rule.name === each));
  return strange === undefined ? undefined : `${strange} is not known`;
}
