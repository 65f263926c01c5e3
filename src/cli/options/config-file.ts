import { isWebUrl } from '../../contract/remote/fetched.js';
import { dirname, isAbsolute, join } from 'node:path';
import { escapePointer, type SourceDocument } from '../../contract/document/document.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { findProblem } from '../../options/rule.js';
import { suggest } from '../../suggest.js';
import { listFrom, type GivenValue, type OptionDeclaration, type Options, type Source } from './define-options.js';

/**
 * The options in a config file, or in the part of it at a pointer; keys with another meaning are skipped. Throws a
 * `PetstoreMockError` with file and line for an unknown option.
 */
export function readConfigOptions(
  document: SourceDocument,
  options: Options,
  { pointer = '', passOver = [] }: { pointer?: string; passOver?: readonly string[] } = {},
): Source {
  const part = document.at(pointer);
  if (part === null || part === undefined) return new Map();
  if (typeof part !== 'object' || Array.isArray(part)) {
    throw unusable(document, pointer, 'a config file must be a mapping of options, such as `port: 4011`.');
  }
  const inFile = new Map(listFrom(options, 'file'));
  const keys = Object.keys(part).filter((key) => key !== '$schema' && !passOver.includes(key));
  return new Map(keys.map((key) => [key, readEntry(document, inFile, { pointer, key })]));
}

function readEntry(
  document: SourceDocument,
  options: ReadonlyMap<string, OptionDeclaration>,
  { pointer, key }: { pointer: string; key: string },
): GivenValue {
  const at = `${pointer}/${escapePointer(key)}`;
  const option = options.get(key);
  if (option === undefined) {
    const names = [...options.keys()];
    throw unusable(
      document,
      at,
      `there is no option ${key}${suggest(key, names)} The options are ${names.join(', ')}.`,
    );
  }
  const { rule } = option;
  const written = document.at(at);
  const value = rule.isTextInFile === true && typeof written === 'string' ? rule.read?.(written) : written;
  const problem = findProblem(rule, value);
  if (problem !== undefined) throw unusable(document, at, `${key} ${problem}`);
  const where = `${formatPlace(document.placeOf(at))}: ${key}`;
  return { value: resolvePaths(option, value, dirname(document.file)), from: 'file', where };
}

/** A path in a config file is relative to that file. */
function resolvePaths({ rule, resolvePath }: OptionDeclaration, value: unknown, folder: string): unknown {
  if (rule.isPath !== true) return value;
  const resolveOne = (path: string): string =>
    resolvePath?.(path, folder) ?? (isAbsolute(path) || isWebUrl(path) ? path : join(folder, path));
  return Array.isArray(value) ? value.map((path) => resolveOne(String(path))) : resolveOne(String(value));
}

function unusable(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-config', message, document.placeOf(pointer));
}
