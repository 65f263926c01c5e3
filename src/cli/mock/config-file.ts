import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readDocument, type SourceDocument } from '../../contract/document/document.js';
import { PetstoreMockError } from '../../errors.js';
import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import { suggest } from '../../suggest.js';
import { OPTIONS, type ProgramOption } from './options.js';
import { readDelay } from '../options/read-delay.js';
import type { GivenValue } from './settings.js';

/** Reads a config file. Throws a `PetstoreMockError` with file and line for what is no option. */
export function readConfigFile(path: string): Map<string, GivenValue> {
  const document = readDocument(path, { code: 'unusable-config', kind: 'mock' });
  const { root } = document;
  if (root === null || root === undefined) return new Map();
  if (typeof root !== 'object' || Array.isArray(root)) {
    throw unusable(document, '', 'a config file is a mapping of options, such as `port: 4011`.');
  }
  return new Map(
    Object.entries(root)
      .filter(([key]) => key !== '$schema')
      .map(([key, value]) => [key, readEntry(document, key, value)] as const),
  );
}

function readEntry(document: SourceDocument, key: string, value: unknown): GivenValue {
  const option = OPTIONS.find(({ name }) => name === key);
  const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (option === undefined) {
    const names = OPTIONS.map(({ name }) => name);
    throw unusable(document, pointer, `there is no option ${key}${suggest(key, names)} There are ${names.join(', ')}.`);
  }
  const problem = option.findProblem(value);
  if (problem !== undefined) throw unusable(document, pointer, `${key} ${problem}`);
  return { value: option.isPath === true ? resolvePath(option, String(value), document.file) : shape(option, value) };
}

function shape({ name }: ProgramOption, value: unknown): unknown {
  return name === 'delay' && typeof value === 'string' ? readDelay(value) : value;
}

/** A path in a config file is meant from where that file stands; a pack that ships is meant by its name. */
function resolvePath({ name }: ProgramOption, value: string, configFile: string): string {
  const path = resolve(dirname(configFile), value);
  if (name !== 'fixtures') return path;
  if (listShippedPacks().includes(value)) return value;
  return existsSync(path) || /[/\\.]/.test(value) ? path : value;
}

function unusable(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-config', message, document.placeOf(pointer));
}
