// What a form states, as the contract writes its fields: for the mock that is sent one, and the runner that sends one.
import { parseJson } from '../document/json.js';
import type { Content, Parameter, ValueShape } from '../model.js';
import { readPairs } from '../parameters.js';
import type { QueryPair } from '../query-pairs.js';
import { fieldOf, isA, readText } from '../read-text.js';

/** A repeated field is a list (OpenAPI 3.1.1, Encoding Object: `form`, exploded), unless `encoding` says otherwise. */
export function readForm(pairs: readonly QueryPair[], content: Content | undefined): Record<string, unknown> {
  const { values, rest } = readPairs(listStyled(content), pairs);
  const plain = [...groupByName(rest)].map(
    ([name, texts]) => [name, readPlain(texts, fieldOf(content?.shape ?? { types: [] }, name))] as const,
  );
  return Object.fromEntries([...plain, ...Object.entries(values)]);
}

/** A field that is nested deeper than any body may be. */
export function findTooDeep(pairs: readonly QueryPair[], content: Content | undefined): string | undefined {
  return readPairs(listStyled(content), pairs).tooDeep[0];
}

function groupByName(pairs: readonly QueryPair[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const texts = groups.get(name);
    if (texts === undefined) groups.set(name, [value]);
    else texts.push(value);
  }
  return groups;
}

/** The fields that the contract writes in a style of its own, as parameters of a query are. */
function listStyled(content: Content | undefined): Parameter[] {
  const at = { in: 'query', required: false, pointer: '', schema: {}, schemaPointer: undefined } as const;
  return Object.entries(content?.encoding ?? {}).flatMap(([name, { style, explode }]) => {
    const shape = fieldOf(content?.shape ?? { types: [] }, name);
    return style === undefined ? [] : [{ ...at, name, shape, style, explode: explode ?? style === 'form' }];
  });
}

function readPlain(values: readonly string[], shape: ValueShape): unknown {
  const [first = ''] = values;
  if (isA({ shape }, 'array')) return readList(values, shape.item ?? { types: [] });
  return readText(first, { shape });
}

/** The values of a field; many clients send all of them as JSON in one. */
function readList(values: readonly string[], item: ValueShape): unknown[] {
  const [first = ''] = values;
  const parsed = values.length === 1 && first.startsWith('[') ? parseJson(first) : undefined;
  if (parsed?.ok === true && Array.isArray(parsed.value)) return parsed.value as unknown[];
  return values.map((value) => readText(value, { shape: item }));
}
