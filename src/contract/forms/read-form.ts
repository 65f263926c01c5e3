// What a form states, as the contract writes its fields: for the mock that is sent one, and the runner that sends one.
import { groupBy } from '../group-by.js';
import { parseJson } from '../document/json.js';
import { asObject } from '../document/plain.js';
import type { Content } from '../model.js';
import { listStyled, sentInPairs } from '../parameters.js';
import type { QueryPair } from '../query-pairs.js';
import { fieldOf, readAs, sentText, type SentValue } from '../read-text.js';

/** A repeated field is a list (OpenAPI 3.1.1, Encoding Object: `form`, exploded), unless `encoding` says otherwise. */
export function readForm(pairs: readonly QueryPair[], content: Content | undefined): Record<string, unknown> {
  const { sent, rest } = sentInPairs(content === undefined ? [] : listStyled(content), pairs);
  const plain = [...groupBy(rest, ({ name }) => name)].map(([name, same]): [string, SentValue] => [
    name,
    sentPlain(same, content),
  ]);
  const members = [...plain, ...sent];
  return asObject(readAs({ members: () => members }, content?.shape ?? { types: [] }));
}

/** A field that is nested deeper than any body may be. */
export function findTooDeep(pairs: readonly QueryPair[], content: Content | undefined): string | undefined {
  return sentInPairs(content === undefined ? [] : listStyled(content), pairs).tooDeep[0];
}

/** The values of a field; many clients send all of a list as JSON in one. */
function sentPlain(same: readonly QueryPair[], content: Content | undefined): SentValue {
  const [{ name, value: first, isJson } = { name: '', value: '' }] = same;
  const isFile = content?.files?.includes(name) === true;
  // Where the contract names no type, the sender may.
  const isFree = fieldOf(content?.shape ?? { types: [] }, name).types.length === 0;
  if (isJson === true && !isFile && isFree) return sentText(first, { style: 'json' });
  return {
    ...sentText(first, {}),
    list() {
      const parsed = same.length === 1 && first.startsWith('[') && !isFile ? parseJson(first) : undefined;
      if (parsed?.ok === true && Array.isArray(parsed.value)) return parsed.value.map((value) => ({ json: { value } }));
      return same.map(({ value }) => sentText(value, {}));
    },
  };
}
