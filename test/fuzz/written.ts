/** A JSON value as it stands in a text: numbers are their digits, and a name may stand twice. */
export type Written =
  | { kind: 'number'; digits: string }
  | { kind: 'list'; items: Written[] }
  | { kind: 'object'; members: [string, Written][] }
  | { kind: 'plain'; value: string | boolean | null };

export function plain(value: string | boolean | null): Written {
  return { kind: 'plain', value };
}

export function number(digits: number | bigint | string): Written {
  return { kind: 'number', digits: String(digits) };
}

export function list(items: Written[]): Written {
  return { kind: 'list', items };
}

export function object(members: [string, Written][]): Written {
  return { kind: 'object', members };
}

/** The text of a value. It is no recursion, since a value may be nested deeper than the stack. */
export function write(value: Written): string {
  const parts: string[] = [];
  const open: (Written | string)[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') parts.push(next);
    else open.push(...partsOf(next).toReversed());
  }
  return parts.join('');
}

function partsOf(value: Written): (Written | string)[] {
  if (value.kind === 'plain') return [JSON.stringify(value.value)];
  if (value.kind === 'number') return [value.digits];
  if (value.kind === 'list') return ['[', ...between(value.items.map((item) => [item])), ']'];
  return ['{', ...between(value.members.map(([name, member]) => [`${JSON.stringify(name)}:`, member])), '}'];
}

const between = (groups: (Written | string)[][]): (Written | string)[] =>
  groups.flatMap((group, index) => (index === 0 ? group : [',', ...group]));

/** A place within a value, by names and positions. */
export type Place = readonly (string | number)[];

/** Deeper than that, places are like those above them. */
const MOST_DEPTH = 8;

/** Some hundred places of a value, the value itself first. */
export function listPlaces(value: Written, at: Place = []): Place[] {
  if (at.length > MOST_DEPTH) return [at];
  if (value.kind === 'list')
    return [at, ...value.items.slice(0, 20).flatMap((item, index) => listPlaces(item, [...at, index]))];
  if (value.kind === 'object')
    return [at, ...value.members.slice(0, 20).flatMap(([name, member]) => listPlaces(member, [...at, name]))];
  return [at];
}

/** The value with another in one place. */
export function replaceAt(value: Written, at: Place, other: Written): Written {
  const [first, ...rest] = at;
  if (first === undefined) return other;
  if (value.kind === 'list')
    return list(value.items.map((item, index) => (index === first ? replaceAt(item, rest, other) : item)));
  if (value.kind !== 'object') return value;
  return object(
    value.members.map(([name, member]) => [name, name === first ? replaceAt(member, rest, other) : member]),
  );
}

export const pointerOf = (at: Place): string =>
  at.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What a JSON text says, with numbers as JavaScript reads them. */
export function read(value: unknown): Written {
  if (Array.isArray(value)) return list(value.map(read));
  if (typeof value === 'number') return number(value);
  if (typeof value !== 'object' || value === null) return plain(value as string | boolean | null);
  return object(Object.entries(value).map(([name, member]): [string, Written] => [name, read(member)]));
}
