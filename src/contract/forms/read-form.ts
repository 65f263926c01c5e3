// What a form states, as the contract writes its fields: for the mock that is sent one, and the runner that sends one.
import { parseJson } from '../document/json.js';
import { asObject } from '../document/plain.js';
import type { Content, Parameter } from '../model.js';
import { sentInPairs } from '../parameters.js';
import type { QueryPair } from '../query-pairs.js';
import { fieldOf, readAs, sentText, type SentValue } from '../read-text.js';

/** A repeated field is a list (OpenAPI 3.1.1, Encoding Object: `form`, exploded), unless `encoding` says otherwise. */
export function readForm(pairs: readonly QueryPair[], content: Content | undefined): Record<string, unknown> {
  const { sent, rest } = sentInPairs(listStyled(content), pairs);
  const plain = [...groupByName(rest)].map(([name, texts]): [string, SentValue] => [name, sentPlain(texts)]);
  const members = [...plain, ...sent];
  return asObject(readAs({ members: () => members }, content?.shape ?? { types: [] }));
}

/** A field that is nested deeper than any body may be. */
export function findTooDeep(pairs: readonly QueryPair[], content: Content | undefined): string | undefined {
  return sentInPairs(listStyled(content), pairs).tooDeep[0];
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

/** The values of a field; many clients send all of a list as JSON in one. */
function sentPlain(values: readonly string[]): SentValue {
  const [first = ''] = values;
  return {
    ...sentText(first, {}),
    list() {
      const parsed = values.length === 1 && first.startsWith('[') ? parseJson(first) : undefined;
      if (parsed?.ok === true && Array.isArray(parsed.value)) return parsed.value.map((value) => ({ json: { value } }));
      return values.map((value) => sentText(value, {}));
    },
  };
}
