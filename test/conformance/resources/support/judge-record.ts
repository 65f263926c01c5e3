import type { FieldPlan } from './plan.js';

export type Item = Record<string, unknown>;

/** RFC 3339. */
const ZONED = /^.{10}[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDay,
  'date-time': (text) => isDay(text.slice(0, 10)) && ZONED.test(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
};

const TYPES: Readonly<Record<FieldPlan['type'], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  number: (value) => Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Every rule of a value that is not kept. */
function listBroken(name: string, value: unknown, field: FieldPlan): string[] {
  if (value === null) return field.null === true ? [] : [`${name}.type`];
  if (!TYPES[field.type](value)) return [`${name}.type`];
  const others = Object.entries(field.rules ?? {}).filter(([, keeps]) => !keeps(value));
  const broken = [
    ...others.map(([rule]) => rule),
    ...listBrokenText(value, field),
    ...listBrokenNumber(value, field),
    ...listBrokenList(value, field),
  ];
  const inside = Array.isArray(value)
    ? value.flatMap((each) => (field.items === undefined ? [] : listBroken(`${name}.items`, each, field.items)))
    : field.fields === undefined
      ? []
      : listBrokenFields(value as Item, field.fields, `${name}.`);
  return [...broken.map((rule) => `${name}.${rule}`), ...inside];
}

function listBrokenText(value: unknown, field: FieldPlan): string[] {
  if (typeof value !== 'string') return [];
  const length = Array.from(value).length;
  return [
    ...(field.enum !== undefined && !field.enum.includes(value) ? ['enum'] : []),
    ...(length < (field.minLength ?? 0) ? ['minLength'] : []),
    ...(length > (field.maxLength ?? Infinity) ? ['maxLength'] : []),
    ...(field.pattern?.test(value) === false ? ['pattern'] : []),
    ...(field.format !== undefined && FORMATS[field.format]?.(value) !== true ? ['format'] : []),
  ];
}

function listBrokenNumber(value: unknown, field: FieldPlan): string[] {
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  return [
    // What is beyond all numbers is stored by nobody.
    ...(Number.isFinite(Number(value)) ? [] : ['range']),
    ...(value < (field.minimum ?? -Infinity) ? ['minimum'] : []),
    ...(value > (field.maximum ?? Infinity) ? ['maximum'] : []),
    ...(value <= (field.above ?? -Infinity) ? ['above'] : []),
    ...(field.multipleOf !== undefined && Number(value) % field.multipleOf !== 0 ? ['multipleOf'] : []),
  ];
}

function listBrokenList(value: unknown, field: FieldPlan): string[] {
  if (!Array.isArray(value)) return [];
  const isTwice = new Set(value.map((each) => JSON.stringify(each))).size < value.length;
  return [
    ...(value.length < (field.minItems ?? 0) ? ['minItems'] : []),
    ...(value.length > (field.maxItems ?? Infinity) ? ['maxItems'] : []),
    ...(field.unique === true && isTwice ? ['unique'] : []),
  ];
}

/** What is wrong with a record, apart from the rules that are off. What only answers have may be there, and is ignored. */
export function listBrokenFields(
  item: Item,
  fields: Readonly<Record<string, FieldPlan>>,
  within = '',
  isPart = false,
): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.readOnly === true) return [];
    if (!Object.hasOwn(item, name)) return field.required === true && !isPart ? [`${within}${name}.required`] : [];
    return listBroken(`${within}${name}`, item[name], field);
  });
}
