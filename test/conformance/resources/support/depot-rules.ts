import { isDay } from './value-rules.js';

export type Parcel = Record<string, unknown>;

type Has = (change: string) => boolean;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const STATES = ['waiting', 'sent', 'lost'];

/** The rules of each parameter, by name. */
const QUERY: Readonly<Record<string, readonly [rule: string, holds: (text: string) => boolean][]>> = {
  limit: [['range', (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 50]],
  offset: [['range', (text) => /^\d+$/.test(text)]],
  carrier: [
    ['minLength', (text) => Array.from(text).length >= 3],
    ['maxLength', (text) => Array.from(text).length <= 12],
  ],
  postcode: [['pattern', (text) => /^\d{4}$/.test(text)]],
  sent_after: [['format', (text) => /^\d{4}-\d\d-\d\dT/.test(text) && isDay(text.slice(0, 10)) && ZONE.test(text)]],
  day: [['format', isDay]],
  owner: [['format', (text) => UUID.test(text)]],
  contact: [['format', (text) => /^[^@\s]+@[^@\s]+$/.test(text)]],
  label: [['format', (text) => URL.canParse(text)]],
  scanner: [['format', isAddress]],
  'weight[gte]': [
    ['type', (text) => text !== '' && !Number.isNaN(Number(text))],
    ['minimum', (text) => !(Number(text) < 0)],
    ['maximum', (text) => !(Number(text) > 900)],
  ],
  state: [['enum', (text) => text.split(',').every((each) => STATES.includes(each))]],
  fragile: [['type', (text) => text === 'true' || text === 'false']],
};

const ZONE = /T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

function isAddress(text: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) < 256);
}

/** The first rule that a query breaks; `off:postcode.pattern` is not looked at. */
export function judgeQuery(query: URLSearchParams, has: Has): string | undefined {
  for (const [name, text] of query) {
    if (text === '' && has('empty-is-none')) continue;
    if (name === 'owner' && has('refuses-unknown-owners')) return 'no such owner';
    const broken = (QUERY[name] ?? []).find(([rule, holds]) => !has(`off:${name}.${rule}`) && !holds(text));
    if (broken !== undefined) return `${name} breaks ${broken[0]}`;
  }
  return undefined;
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  carrier: (value) => typeof value === 'string' && value.length >= 3 && Array.from(value).length <= 60,
  weight: (value) => typeof value === 'number' && value >= 0 && value <= 900,
  fragile: (value) => typeof value === 'boolean',
  state: (value) => typeof value === 'string' && STATES.includes(value),
  label: (value) => typeof value === 'string' && URL.canParse(value),
  scanner: (value) => typeof value === 'string' && isAddress(value),
};

/** The first field of a parcel that is wrong; of `off:label.format`, only the type counts. */
export function judgeParcel(parcel: unknown, has: Has, isPart: boolean): string | undefined {
  if (typeof parcel !== 'object' || parcel === null || Array.isArray(parcel)) return 'parcel';
  if (!isPart && !Object.hasOwn(parcel, 'carrier')) return 'carrier';
  const wrong = Object.entries(parcel).find(([name, value]) => {
    const isRight = has(`off:body.${name}`) && typeof value === 'string' ? () => true : FIELDS[name];
    return isRight !== undefined && !isRight(value);
  });
  return wrong?.[0];
}
