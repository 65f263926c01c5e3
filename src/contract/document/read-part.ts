import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { PetstoreMockError } from '../../errors.js';
import { hidePassword } from '../remote/fetched.js';
import type { RemoteReader } from '../remote/read-remote.js';
import { parseSource, readDocument, refuseEndless, type SourceDocument } from './document.js';

const IS_URL = /^[a-z][a-z\d+.-]+:|^\/\//i;

export function isUrl(path: string): boolean {
  return IS_URL.test(path);
}

/** The path or URL that a reference in a file at `base` names. */
export function locateFile(file: string, base: string): string {
  return IS_URL.test(file) || IS_URL.test(base) ? resolveUrl(file, base) : resolve(dirname(base), decode(file));
}

/** The name of a file within the whole: its path from the first file, or its URL. */
export function nameFile(path: string, entryPath: string): string {
  return IS_URL.test(path) ? path : relative(dirname(entryPath), path).replaceAll('\\', '/');
}

export interface PartOptions {
  /** The file's name in messages. */
  shownAs: string;
  isInside: (path: string) => boolean;
  /** Reads documents at URLs; `undefined` if none may be read. */
  readRemote: RemoteReader | undefined;
}

/** Reads a file that a document refers to, or says why it is not read. */
export function readPart(
  path: string,
  { shownAs, isInside, readRemote }: PartOptions,
): SourceDocument | { why: string } {
  if (IS_URL.test(path)) return readUrl(path, readRemote);
  return isInside(path) ? readFile(path, shownAs) : { why: OUTSIDE };
}

const OUTSIDE =
  "is outside the document's folder, which only a trusted document may read; if you trust it, pass --allow-outside-refs";

/** Whether a file is in the folder of the first document, after following links. */
export function createFence(entryPath: string): (path: string) => boolean {
  const folders = [follow(dirname(entryPath)), dirname(follow(entryPath))];
  return (path) => folders.some((folder) => follow(path).startsWith(folder.endsWith(sep) ? folder : folder + sep));
}

function follow(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The reader reports a missing file.
    return path;
  }
}

function resolveUrl(file: string, base: string): string {
  return URL.canParse(file, IS_URL.test(base) ? base : undefined)
    ? new URL(file, IS_URL.test(base) ? base : undefined).href
    : file;
}

/** A file name in a reference is percent-encoded (RFC 3986); one with a stray percent sign is taken literally. */
function decode(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/** The meta-schemas of JSON Schema 2020-12, which the validator brings. */
const META_SCHEMA =
  /^https:\/\/json-schema\.org\/draft\/2020-12\/(schema|meta\/(?:core|applicator|unevaluated|validation|meta-data|format-annotation|content))$/;
const require = createRequire(import.meta.url);

function readUrl(url: string, readRemote: RemoteReader | undefined): SourceDocument | { why: string } {
  const [, metaSchema] = META_SCHEMA.exec(url) ?? [];
  if (metaSchema !== undefined) {
    return orWhy(() => {
      const path = require.resolve(`ajv/dist/refs/json-schema-2020-12/${metaSchema}.json`);
      return readDocument(path, { code: 'unusable-contract', shownAs: url });
    });
  }
  if (readRemote === undefined) return { why: REMOTE };
  const fetched = readRemote(url);
  if ('why' in fetched) return fetched;
  return orWhy(() =>
    parseSource(fetched.text, { shownAs: hidePassword(url), code: 'unusable-contract', isTolerant: true }),
  );
}

const REMOTE =
  'is a URL, and a $ref is not fetched over the network by default; save the document beside this file and refer to the copy, or pass --allow-remote-refs';

function readFile(path: string, shownAs: string): SourceDocument | { why: string } {
  return orWhy(() => {
    refuseEndless(path, shownAs);
    return readDocument(path, { code: 'unusable-contract', shownAs, isTolerant: true });
  });
}

function orWhy(read: () => SourceDocument): SourceDocument | { why: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof PetstoreMockError)
      return { why: `refers to a file that cannot be read: ${error.message.replace(/\.$/, '')}` };
    throw error;
  }
}
