import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseJson } from './json.js';
import type { CreateValidators, ParsedText, Place } from './yaml.js';

/** What the build has written of one text. */
export interface PrecompiledText {
  /** JSON of the whole content. */
  root: string;
  /** JSON of a {@link PlaceTree}. */
  places: string;
  /** Makes the validators; of a contract only. */
  createValidators?: CreateValidators;
}

/** Line and column of a value, and the trees of what is inside it. */
export type PlaceTree = [line: number, column: number, inside?: Readonly<Record<string, PlaceTree>>];

/** Beside this file once the package is built; where it is not, everything is read as any other document. */
export const PRECOMPILED_FILE: string = fileURLToPath(new URL('precompiled.generated.cjs', import.meta.url));

const require = createRequire(import.meta.url);

/**
 * A text that was read when the package was built, such as the contract that
 * ships. It is known by its content: one that differs in a single character is
 * read as any other.
 */
export function findPrecompiled(text: string): ParsedText | undefined {
  const written = listWritten()[digest(text)];
  if (written === undefined) return undefined;
  const { root, places, createValidators } = written;
  let tree: PlaceTree | undefined;
  return {
    root: parse(root),
    findPlace: (path) => findNearest((tree ??= parse(places) as PlaceTree), path),
    ...(createValidators === undefined ? {} : { createValidators }),
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

function listWritten(): Readonly<Record<string, PrecompiledText>> {
  return existsSync(PRECOMPILED_FILE) ? (require(PRECOMPILED_FILE) as Record<string, PrecompiledText>) : {};
}

function parse(json: string): unknown {
  const parsed = parseJson(json);
  if (!parsed.ok) throw new Error(`${PRECOMPILED_FILE}: ${parsed.problem.message}`);
  return parsed.value;
}
