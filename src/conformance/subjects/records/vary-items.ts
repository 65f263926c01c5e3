import { printJson } from '../../../contract/document/json.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { sameJson } from '../../../contract/document/same-json.js';
import { readProperties } from '../../../contract/operations/properties.js';
import type { Contract } from '../../../contract/contract.js';
import { isLikeKey } from '../certainty.js';
import type { Field } from '../subject.js';

type Item = Readonly<Record<string, unknown>>;

/**
 * Items of a list of objects that differ in what each of their members may be, optional ones too, and one that has none of those: a
 * service may keep what the first item has, or one value of each member. Texts rise, so that a list that is sorted by them is as it was.
 */
export function varyItems({ type, schemaPointer }: Field, own: unknown, contract: Contract): unknown[] | undefined {
  const [first] = Array.isArray(own) ? (own as unknown[]) : [];
  // What refers to a record of the run's own is made as it is.
  if (type !== 'array' || !isObject(first) || printJson(first).includes('$')) return undefined;
  const items = `${resolveAt(contract.document, schemaPointer).pointer}/items`;
  const members = readProperties(contract.document, items).filter(({ name }) => Object.hasOwn(first, name));
  const isAllowed = (item: Item): boolean => contract.validate.value(items, item).length === 0;
  const vary = (turn: number): Item => {
    let item = first;
    for (const { name, schemaPointer: at } of members) {
      const { value } = resolveAt(contract.document, at);
      const next = { ...item, [name]: varyValue(first[name], asObject(value), turn) };
      item = isAllowed(next) ? next : item;
    }
    return item;
  };
  const required = new Set(members.filter((each) => each.required).map(({ name }) => name));
  const least = Object.fromEntries(Object.entries(vary(3)).filter(([name]) => required.has(name)));
  // Two items of one key may be one to a service.
  const several = members.some(({ name }) => isLikeKey(name))
    ? [[vary(1)]]
    : [
        [first, vary(1), vary(2), least],
        [first, vary(1), vary(2)],
        [first, vary(1)],
      ];
  const isNew = (list: readonly Item[]): boolean =>
    list.every((each, index) => !list.slice(0, index).some((before) => sameJson(before, each)));
  return several.find(
    (list) =>
      !sameJson(list, own) &&
      isNew(list) &&
      list.every(isAllowed) &&
      contract.validate.value(schemaPointer, list).length === 0,
  );
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Another value of a member in each turn, as far as its schema is plain about that. */
function varyValue(own: unknown, schema: Record<string, unknown>, turn: number): unknown {
  const { enum: listed, format, pattern, maximum, multipleOf } = schema;
  if (Array.isArray(listed)) {
    const others = listed.filter((each) => each !== null && !sameJson(each, own));
    return others[(turn - 1) % Math.max(1, others.length)] ?? own;
  }
  if (typeof own === 'boolean') return turn % 2 === 1 ? !own : own;
  if (typeof own === 'string') return format === undefined && pattern === undefined ? `${own} ${turn + 1}` : own;
  if (typeof own !== 'number') return own;
  if (turn === 2 && typeof maximum === 'number') return maximum;
  return schema['type'] === 'number' && multipleOf === undefined ? own + turn / 4 : own + turn;
}
