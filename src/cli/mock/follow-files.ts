import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Contract } from '../../contract/contract.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import type { Settings } from './settings.js';

/** Often enough for a change to be live in a third of a second; a mock has a handful of files. */
const LOOK_EVERY_MS = 50;

/** Follows files until it is told of others. */
export interface Following {
  follow(paths: readonly string[]): void;
}

/**
 * Calls back with the files whose content has changed. They are looked at by name, several times a second, by Node's own
 * `watchFile`: that sees renames and the atomic saves of editors for what they are, on every file system, mounted ones too,
 * which watchers of folders do not; and it needs no package. What is missing for a moment is being saved.
 */
export function followFiles(onChange: (paths: string[]) => void): Following {
  const known = new Map<string, string>();
  const look = (): void => {
    const changed = [...known].filter(([path, before]) => {
      const now = read(path);
      if (now === undefined || now === before) return false;
      known.set(path, now);
      return true;
    });
    if (changed.length > 0) onChange(changed.map(([path]) => path));
  };
  return {
    follow(paths) {
      for (const path of known.keys()) {
        if (paths.includes(path)) continue;
        unwatchFile(path, look);
        known.delete(path);
      }
      for (const path of paths) {
        if (known.has(path)) continue;
        known.set(path, read(path) ?? '');
        watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, look);
      }
      // Node's own first look comes later, and takes what has changed since for what was there.
      setTimeout(look, LOOK_EVERY_MS).unref();
    },
  };
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The files that a mock was made from: those that the settings name, and those that the contract refers to. */
export function listFollowed({ spec, fixtures, profile, config, resources }: Settings, contract: Contract): string[] {
  const own = fixtures === undefined || listShippedPacks().includes(fixtures) ? undefined : fixtures;
  const named = [spec, own, profile, config, resources].filter((path) => path !== undefined);
  return [...new Set(spec === undefined ? named : [...named, ...listContractFiles(contract)])];
}

function listContractFiles({ document, operations }: Contract): string[] {
  const pointers = operations.flatMap(({ pointer, parameters, requestBody, responses }) => [
    pointer,
    ...[...parameters, ...responses, ...(requestBody === undefined ? [] : [requestBody])].map((each) => each.pointer),
    ...[...responses, ...(requestBody === undefined ? [] : [requestBody])].flatMap(({ content }) =>
      content.flatMap(({ schemaPointer }) => schemaPointer ?? []),
    ),
  ]);
  return pointers.map((pointer) => document.placeOf(pointer).file);
}
