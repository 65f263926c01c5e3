import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findBrokenRule } from './exact-number.js';
import { EXACT_NUMBER_MODULE } from './exact-number-keyword.js';
import { parseJson } from './json.js';
import type { CompiledAhead, ParsedText, Place } from './yaml.js';

/** What the build has written of one text. */
export interface WrittenAhead {
  /** JSON of the whole content. */
  root: string;
  /** JSON of a {@link PlaceTree}. */
  places: string;
  /** Makes the validators; of a contract only. */
  compile?: (require: (name: string) => unknown) => CompiledAhead;
}

/** Line and column of a value, and the trees of what is inside it. */
export type PlaceTree = [line: number, column: number, inside?: Readonly<Record<string, PlaceTree>>];

/** Beside this file once the package is built; where it is not, everything is read as any other document. */
export const AHEAD_FILE: string = fileURLToPath(new URL('ahead.generated.cjs', import.meta.url));

const require = createRequire(import.meta.url);

/**
 * A text that was read when the package was built, such as the contract that
 * ships. It is known by its content: one that differs in a single character is
 * read as any other.
 */
export function findReadAhead(text: string): ParsedText | undefined {
  const written = listWritten()[digest(text)];
  if (written === undefined) return undefined;
  const { root, places, compile } = written;
  let tree: PlaceTree | undefined;
  return {
    root: parse(root),
    findPlace: (path) => findNearest((tree ??= parse(places) as PlaceTree), path),
    ...(compile === undefined ? {} : { compiled: compile(requireForValidators) }),
  };
}

/** The name of a text's content. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function findNearest(tree: PlaceTree, path: readonly string[]): Place {
  let [line, column, inside] = tree;
  for (const key of path) {
    if (inside === undefined || !Object.hasOwn(inside, key)) break;
    [line, column, inside] = inside[key] as PlaceTree;
  }
  return { line, column };
}

function listWritten(): Readonly<Record<string, WrittenAhead>> {
  return existsSync(AHEAD_FILE) ? (require(AHEAD_FILE) as Record<string, WrittenAhead>) : {};
}

function requireForValidators(name: string): unknown {
  return name === EXACT_NUMBER_MODULE ? { findBrokenRule } : require(name);
}

function parse(json: string): unknown {
  const parsed = parseJson(json);
  if (!parsed.ok) throw new Error(`${AHEAD_FILE}: ${parsed.problem.message}`);
  return parsed.value;
}
