import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cutCircles, listNodesBelow, type NodeType, type OpenApiNode } from './openapi-nodes.js';
import { createDynamicScopes, type DynamicScopes, createSchemaNames, type SchemaNames } from './schema-names.js';
import {
  createSource,
  escapePointer,
  parsePointer,
  type DocumentPart,
  type SourceDocument,
  parseSource,
  readDocument,
  rejectEndless,
} from './document.js';
import { decodeFragment, FILES, pointerOf, referenceOf, splitPointer } from './references.js';
import { createNotes, type Notes } from './notes.js';
import { isJsonNumber } from '../numbers/decimal.js';
import { readDialect } from '../schemas/dialect.js';
import { hidePassword, type RemoteReader } from '../remote/read-remote.js';
import { createRequire } from 'node:module';
import { PetstoreMockError } from '../../errors.js';

/** A document of one file or several, with every reference local, and all its nodes with their kinds. */
export interface Bundle {
  document: SourceDocument;
  nodes: readonly OpenApiNode[];
  notes: Notes;
  /** Whether a file that a node names, given by its JSON Pointer, could be read and is not there. */
  isMissing: (file: string, pointer: string) => boolean;
}

interface BundleOptions {
  /** Reads documents at URLs that references name. Default: none are read. */
  readRemote?: RemoteReader | undefined;
  /** Whether files outside the document's folder are read. Default: `false`. */
  allowOutsideRefs?: boolean | undefined;
}

interface Part {
  document: SourceDocument;
  /** JSON Pointer to its content in the whole; `''` for the first file. */
  mount: string;
  from: string;
}

interface Reading {
  readRemote: RemoteReader | undefined;
  isInside: (path: string) => boolean;
  entry: Part;
  parts: Map<string, Part>;
  /** By pointer, with the copies of {@link DynamicScopes}. */
  mounts: Map<string, Part>;
  unread: Map<string, string>;
  document: SourceDocument;
  notes: Notes;
  /** What schemas call themselves; nothing in OpenAPI 3.0, where they have no names of their own. */
  names: SchemaNames;
  scopes: DynamicScopes;
  written: WeakMap<object, { before: object; targets: string[] }>;
  /** The target of each reference in a file, since most occur many times. */
  targets: Map<string, Target>;
  endless: Map<string, boolean>;
  postponed: OpenApiNode[];
}

interface Referring {
  $ref?: string;
  $dynamicRef?: string;
  allOf?: unknown[];
  not?: unknown;
}

type Target = { value: object | boolean; pointer: string } | { why: string };

/** Makes one document of all files. A reference without a target costs only its node: anything is allowed there. */
export function bundleFiles(entry: SourceDocument, path: string, options: BundleOptions = {}): Bundle {
  const first: Part = { document: entry, mount: '', from: isUrl(path) ? path : resolve(path) };
  const parts = new Map([[first.from, first]]);
  const mounts = new Map([[first.mount, first]]);
  const unread = new Map<string, string>();
  const document = joinParts(entry, { parts, mounts, unread });
  const notes = createNotes(document);
  const names = createSchemaNames(notes);
  const reading: Reading = {
    entry: first,
    parts,
    mounts,
    unread,
    document,
    notes,
    names,
    scopes: createDynamicScopes({
      names,
      notes,
      mountOf: (pointer) => splitPointer(pointer).mount,
      findTarget: (text, from) => {
        const target = findTarget(text, from, 'Schema', reading);
        return typeof target === 'string' ? target : undefined;
      },
      copy: (pointer, number) => copySchema(pointer, number, reading),
    }),
    readRemote: options.readRemote,
    isInside: options.allowOutsideRefs === true ? () => true : createFence(first.from),
    written: new WeakMap(),
    targets: new Map(),
    endless: new Map(),
    postponed: [],
  };
  if (readDialect(document.root).readsBesideReference) names.add(document.root, first.mount, uriOf(first));
  const nodes = walk(document.root as object, reading);
  const isCut = cutCircles(nodes, {
    notes,
    targetOf: (schema) => document.at(pointerOf(referenceOf(schema) ?? '') ?? '/'),
  });
  // What stood below a keyword that was cut is no part of the document any more.
  return {
    document,
    nodes: isCut ? nodes.filter(({ value, pointer }) => document.at(pointer) === value) : nodes,
    notes,
    isMissing(file, pointer) {
      const from = mounts.get(splitPointer(pointer).mount) ?? first;
      const to = locateFile(file, from.from);
      return !isUrl(to) && reading.isInside(to) && !existsSync(to);
    },
  };
}

function uriOf({ from }: Part): string {
  return isUrl(from) ? from : pathToFileURL(from).href;
}

function walk(root: object, reading: Reading): OpenApiNode[] {
  const found: OpenApiNode[] = [];
  const seen = new Set<string>();
  const kind = Object.hasOwn(root, 'openapi') ? 'Document' : 'Swagger';
  const ahead: OpenApiNode[] = [{ type: kind, value: root, pointer: '', above: undefined }];
  const follow = (node: OpenApiNode, isLast: boolean): void => {
    for (const { value, pointer } of localize(node, isLast, reading)) {
      if (typeof value === 'object') ahead.push({ type: node.type, above: node.type, value, pointer });
    }
  };
  for (;;) {
    const node = ahead.pop();
    if (node === undefined) {
      if (reading.postponed.length === 0) return found;
      // All files have been read, so all names are known.
      reading.targets.clear();
      for (const each of reading.postponed.splice(0)) follow(each, true);
      continue;
    }
    if (seen.has(node.pointer)) continue;
    seen.add(node.pointer);
    found.push(node);
    const { type, pointer } = node;
    follow(node, false);
    // The first one is read next.
    for (const below of listNodesBelow(type, node.value).reverse()) {
      const at = `${pointer}${below.path.map((step) => `/${escapePointer(step)}`).join('')}`;
      ahead.push({ type: below.type, value: below.value, pointer: at, above: type });
    }
  }
}

function localize(node: OpenApiNode, isLast: boolean, reading: Reading): Exclude<Target, { why: string }>[] {
  const holder = node.value as Referring;
  const known = reading.written.get(holder);
  if (known !== undefined) {
    return known.targets.flatMap((pointer) => {
      const target = openAt(pointer, reading);
      return 'why' in target ? [] : [target];
    });
  }
  const { $ref, $dynamicRef } = holder;
  const isDynamic = node.type === 'Schema' && typeof $dynamicRef === 'string' && !reading.names.isEmpty();
  if (typeof $ref !== 'string' && !isDynamic) return [];
  const before = { ...holder };
  const targets = [
    ...(typeof $ref === 'string' ? [{ name: '$ref', text: $ref, target: lookUp($ref, node, reading) } as const] : []),
    ...(isDynamic
      ? [{ name: '$dynamicRef', text: $dynamicRef, target: lookUpDynamic($dynamicRef, node, reading) } as const]
      : []),
  ];
  if (!isLast && targets.some(({ text, target }) => 'why' in target && mayBeNamedLater(text, node.pointer, reading))) {
    reading.postponed.push(node);
    return [];
  }
  const good: Exclude<Target, { why: string }>[] = [];
  for (const { name, text, target } of targets) {
    // A reference that stays one keeps its place among the fields.
    if (name !== '$ref' || 'why' in target || typeof target.value === 'boolean') delete holder[name];
    else {
      holder.$ref = `#${encodeURI(target.pointer)}`;
      good.push(target);
      continue;
    }
    if ('why' in target) {
      const where = `${node.pointer}/${name}`;
      reading.notes.add(where, `unresolved $ref ${hidePassword(text)}: it ${target.why}; treated as {}.`);
      continue;
    }
    good.push(target);
    const rule =
      typeof target.value === 'object' ? { $ref: `#${encodeURI(target.pointer)}` } : target.value ? {} : { not: {} };
    if (Object.keys(rule).every((key) => holder[key as keyof Referring] === undefined)) Object.assign(holder, rule);
    else holder.allOf = [...(holder.allOf ?? []), rule];
  }
  reading.written.set(holder, { before, targets: good.map(({ pointer }) => pointer) });
  return good;
}

function mayBeNamedLater(text: string, from: string, { names }: Reading): boolean {
  const [file = ''] = text.split('#');
  return file !== '' && (isUrl(file) || !names.isEmpty());
}

function lookUp(text: string, { pointer, type }: OpenApiNode, reading: Reading): Target {
  const { names, scopes, targets } = reading;
  const from = scopes.toOriginal(pointer);
  const key = `${names.isEmpty() ? splitPointer(from).mount : names.scopeOf(from)} ${type === 'Schema'} ${text}`;
  let target = targets.get(key);
  if (target === undefined) {
    const found = findTarget(text, from, type, reading);
    target = typeof found === 'string' ? openAt(found, reading) : found;
    if (type !== 'Schema' && 'value' in target && typeof target.value !== 'object')
      target = { why: explainNowhere(target.value) };
  }
  targets.set(key, target);
  return 'why' in target || names.isEmpty() ? target : openAt(scopes.enter(target.pointer, pointer), reading);
}

function lookUpDynamic(text: string, { pointer }: OpenApiNode, reading: Reading): Target {
  const { scopes } = reading;
  const initial = findTarget(text, scopes.toOriginal(pointer), 'Schema', reading);
  const found = scopes.resolve(text, pointer, typeof initial === 'string' ? initial : undefined);
  if (found === undefined) return typeof initial === 'string' ? { why: 'leads nowhere' } : initial;
  return openAt(scopes.enter(found, pointer), reading);
}

function openAt(pointer: string, reading: Reading): Target {
  const value = reading.document.at(pointer);
  const isGood = (typeof value === 'object' && value !== null) || typeof value === 'boolean';
  return isGood && !leadsBack(pointer, reading) ? { value, pointer } : { why: explainNowhere(value) };
}

function explainNowhere(value: unknown): string {
  if (value === undefined) return 'leads nowhere';
  return typeof value === 'object' && value !== null ? 'refers to itself' : 'does not refer to an object';
}

function leadsBack(pointer: string, reading: Reading): boolean {
  const visited = new Set<string>();
  let isEndless = false;
  for (let current = pointer; ;) {
    const known = reading.endless.get(current);
    isEndless = known ?? visited.has(current);
    if (known !== undefined || isEndless) break;
    visited.add(current);
    const value = reading.document.at(current);
    const text = referenceOf(value);
    if (text === undefined) break;
    const written = reading.written.get(value as object);
    const next =
      written === undefined
        ? findTarget(text, reading.scopes.toOriginal(current), 'Schema', reading)
        : written.targets[0];
    if (typeof next !== 'string') break;
    current = next;
  }
  for (const each of visited) reading.endless.set(each, isEndless);
  return isEndless;
}

function findTarget(text: string, pointer: string, type: NodeType, reading: Reading): string | { why: string } {
  const { names, document, notes } = reading;
  const named = type === 'Schema' && !names.isEmpty() ? names.find(text, pointer) : undefined;
  if (typeof named === 'string' && document.at(named) !== undefined) return named;
  const from = reading.mounts.get(splitPointer(pointer).mount) ?? reading.entry;
  const [file = '', ...rest] = text.split('#');
  let part = file === '' ? from : openPart(file, from, reading);
  if ('why' in part && named === undefined && !names.isEmpty()) {
    // Below an $id, a relative reference is to a URI beside that one.
    const uri = names.resolve(file, pointer);
    if (uri !== undefined && isUrl(uri) && !uri.startsWith('file:')) part = openPart(uri, from, reading);
  }
  if ('why' in part) return named === undefined ? part : typeof named === 'object' ? named : { why: 'leads nowhere' };
  const within = pointerOf(`#${rest.join('#')}`);
  if (within === undefined) {
    // The file may have been read just now, and with it its anchors.
    const again = type === 'Schema' && !names.isEmpty() ? names.find(text, pointer) : undefined;
    const inFile = again ?? names.find(`#${rest.join('#')}`, part.mount);
    return names.isEmpty() || inFile === undefined ? { why: 'is not a JSON Pointer' } : inFile;
  }
  const target = `${part.mount}${within}`;
  if (named !== undefined && file === '' && document.at(target) !== undefined) {
    notes.add(
      pointer,
      `$ref ${text} is not found in the schema whose $id applies to it; it is resolved from the root of the file.`,
    );
  }
  return target;
}

function openPart(file: string, from: Part, reading: Reading): Part | { why: string } {
  const { entry, parts, mounts, unread, isInside, document, names, notes } = reading;
  const to = locateFile(file, from.from);
  const known = parts.get(to);
  if (known !== undefined) return known;
  const name = nameFile(to, entry.from);
  const shownAs = join(dirname(entry.document.file), name);
  const read = readPart(to, shownAs, reading);
  if ('why' in read) {
    if (!isUrl(to) && isInside(to)) unread.set(shownAs, read.why);
    return read;
  }
  const part = { document: read, mount: `/${FILES}/${escapePointer(name)}`, from: to };
  parts.set(to, part);
  mounts.set(part.mount, part);
  mountIn(document.root as Record<string, unknown>, name, read.root);
  if (readDialect(document.root).readsBesideReference) names.add(read.root, part.mount, uriOf(part));
  for (const { place, message } of read.oddities ?? []) notes.add(place, message);
  return part;
}

function mountIn(root: Record<string, unknown>, name: string, content: unknown): void {
  const files = (root[FILES] ??= {}) as Record<string, unknown>;
  Object.defineProperty(files, name, { value: content, enumerable: true });
}

function copySchema(pointer: string, number: number, reading: Reading): string {
  const { mount, within } = splitPointer(pointer);
  const part = reading.mounts.get(mount) ?? reading.entry;
  const name = `${nameFile(part.from, reading.entry.from)} (${number})`;
  const copied = copyWritten(reading.document.at(pointer), reading);
  const content = parsePointer(within).reduceRight<unknown>((inside, step) => ({ [step]: inside }), copied);
  const copy = { ...part, mount: `/${FILES}/${escapePointer(name)}` };
  reading.mounts.set(copy.mount, copy);
  mountIn(reading.document.root as Record<string, unknown>, name, content);
  return copy.mount;
}

function copyWritten(value: unknown, reading: Reading): unknown {
  if (Array.isArray(value)) return value.map((each) => copyWritten(each, reading));
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value;
  const before = reading.written.get(value)?.before ?? value;
  return Object.fromEntries(Object.entries(before).map(([key, each]) => [key, copyWritten(each, reading)]));
}

function joinParts(
  entry: SourceDocument,
  { parts, mounts, unread }: Pick<Reading, 'parts' | 'mounts' | 'unread'>,
): SourceDocument {
  const source = createSource(entry.file, { ...(entry.root as object) }, (pointer) => {
    const { mount, within } = splitPointer(pointer);
    const part = mounts.get(mount)?.document;
    return part === undefined ? entry.placeOf(pointer) : part.placeOf(within);
  });
  const { createValidators } = entry;
  const listParts = (): DocumentPart[] => [
    ...[...parts.values()].map(({ document: { file } }) => ({ file, problem: undefined })),
    ...[...unread].map(([file, problem]) => ({ file, problem })),
  ];
  return {
    ...source,
    listParts: entry.listParts ?? listParts,
    ...(createValidators === undefined ? {} : { createValidators }),
  };
}

const IS_URL = /^[a-z][a-z\d+.-]+:|^\/\//i;

function isUrl(path: string): boolean {
  return IS_URL.test(path);
}

function locateFile(file: string, base: string): string {
  // A file name in a reference is percent-encoded (RFC 3986); one with a stray percent sign is taken literally.
  if (!isUrl(file) && !isUrl(base)) return resolve(dirname(base), decodeFragment(file) ?? file);
  const from = isUrl(base) ? base : undefined;
  return URL.canParse(file, from) ? new URL(file, from).href : file;
}

/** The name of a file within the whole: its path from the first file, or its URL. */
function nameFile(path: string, entryPath: string): string {
  return isUrl(path) ? path : relative(dirname(entryPath), path).replaceAll('\\', '/');
}

function readPart(
  path: string,
  shownAs: string,
  { isInside, readRemote }: Pick<Reading, 'isInside' | 'readRemote'>,
): SourceDocument | { why: string } {
  if (isUrl(path)) return readUrl(path, readRemote);
  if (!isInside(path)) return { why: OUTSIDE };
  return orWhy(() => {
    rejectEndless(path, shownAs);
    return readDocument(path, { code: 'unusable-contract', shownAs, isTolerant: true });
  });
}

const OUTSIDE =
  "is outside the document's folder, which only a trusted document may read; if you trust it, pass --allow-outside-refs";

/** Whether a file is in the folder of the first document, after following links. */
function createFence(entryPath: string): (path: string) => boolean {
  const folders = [followLinks(dirname(entryPath)), dirname(followLinks(entryPath))];
  return (path) => folders.some((folder) => followLinks(path).startsWith(folder.endsWith(sep) ? folder : folder + sep));
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The reader reports a missing file.
    return path;
  }
}

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

function orWhy(read: () => SourceDocument): SourceDocument | { why: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof PetstoreMockError)
      return { why: `refers to a file that cannot be read: ${error.message.replace(/\.$/, '')}` };
    throw error;
  }
}
