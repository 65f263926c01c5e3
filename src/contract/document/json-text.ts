import { Decimal } from '../numbers/decimal.js';
import { parseJsonWithin } from './json.js';
import { loadJsonParser } from './load-when-needed.js';
import { createLineFinder } from './lines.js';
import { KEY_TWICE, type Oddity, type ParsedText, type TextPlace } from './yaml.js';

/** No real document is nested so deeply; walking a deeper one would overflow the stack. */
const MAX_DEPTH = 500;

/**
 * Parses a text that is JSON, in a tenth of the time that YAML takes; `undefined` for any other text, whose mistakes
 * the YAML parser reports with their lines.
 */
export function parseJsonText(text: string, file: string): ParsedText | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const parsed = parseJsonWithin(text, MAX_DEPTH);
  if (!parsed.ok) return undefined;
  // Places are computed only when a message needs one.
  let finder: ((path: readonly string[]) => TextPlace) | undefined;
  const findPlace: ParsedText['findPlace'] = (path) => (finder ??= createFinder(text))(path);
  const repeats = countKeysWritten(text) !== countKeys(parsed.value);
  return { root: parsed.value, findPlace, ...(repeats ? { oddities: listRepeated(text, file) } : {}) };
}

/** A name is a text before a colon; a colon within a text is part of that text. */
function countKeysWritten(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) count += 1;
  return count;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, each) => sum + countKeys(each), own);
}

function listRepeated(text: string, file: string): Oddity[] {
  const placeAt = createLineFinder(text);
  const found: Oddity[] = [];
  const seen: Set<string>[] = [];
  loadJsonParser().visit(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty(name, offset) {
      const names = seen.at(-1);
      if (names?.has(name) === true) found.push({ place: { file, ...placeAt(offset) }, message: KEY_TWICE });
      names?.add(name);
    },
  });
  return found;
}

function createFinder(text: string): (path: readonly string[]) => TextPlace {
  const { parseTree } = loadJsonParser();
  const tree = parseTree(text);
  const placeAt = createLineFinder(text);
  return (path) => {
    let node = tree;
    let offset = tree?.offset ?? 0;
    for (const key of path) {
      // If a name is repeated, the last value counts.
      const property =
        node?.type === 'object' ? node.children?.findLast((each) => each.children?.[0]?.value === key) : undefined;
      const next = property?.children?.[1] ?? (node?.type === 'array' ? node.children?.[Number(key)] : undefined);
      if (next === undefined) break;
      // People look for the key, not for the beginning of its value.
      offset = property?.offset ?? next.offset;
      node = next;
    }
    return placeAt(offset);
  };
}
