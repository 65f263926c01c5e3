import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from './json.js';
import type { ParsedText, TextPlace } from './yaml.js';

export interface PrecompiledText extends Pick<ParsedText, 'createValidators' | 'resources'> {
  root: string;
  places: string;
}

/** Line and column of a value, and the trees of its content. */
export type PlaceTree = [line: number, column: number, inside?: Readonly<Record<string, PlaceTree>>];

/** Beside this file once the package is built, with a module for each text. */
export const PRECOMPILED_FOLDER: string = fileURLToPath(new URL('precompiled/', import.meta.url));
const require = createRequire(import.meta.url);

/** A shipped text that was read and checked by the build, recognised by its content: every character counts. */
export function findPrecompiled(text: string): ParsedText | undefined {
  const file = join(PRECOMPILED_FOLDER, nameModule(text));
  if (!existsSync(file)) return undefined;
  const { root, places, ...more } = require(file) as PrecompiledText;
  const parse = (json: string): unknown => {
    const parsed = parseJson(json);
    if (!parsed.ok) throw new Error(`${PRECOMPILED_FOLDER}: ${parsed.problem.message}`);
    return parsed.value;
  };
  let tree: PlaceTree | undefined;
  const findPlace = (path: readonly string[]): TextPlace => {
    let [line, column, inside] = (tree ??= parse(places) as PlaceTree);
    for (const key of path) {
      if (inside === undefined || !Object.hasOwn(inside, key)) break;
      [line, column, inside] = inside[key] as PlaceTree;
    }
    return { line, column };
  };
  return { isPrecompiled: true, root: parse(root), findPlace, ...more };
}

export const nameModule = (text: string): string => `${createHash('sha256').update(text).digest('hex')}.cjs`;
