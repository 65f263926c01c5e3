import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NodeType, OpenApiNode } from './openapi-nodes.js';
import { cutCircles, listNodesBelow, DynamicScopes, SchemaNames } from './openapi-nodes.js';
import {
  createSource,
  escapePointer,
  parsePointer,
  type SourceDocument,
  parseSource,
  readDocument,
  rejectEndless,
  createNotes,
  type Notes,
} from './document.js';
import { decodeFragment, FILES, pointerOf, referenceOf, splitPointer } from './references.js';
import { defined, isObject } from './plain.js';
import { readDialect } from '../schemas/dialect.js';
import { hidePassword, type RemoteReader } from '../remote/read-remote.js';
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

type Referring = { $ref?: string; $dynamicRef?: string; allOf?: unknown[]; not?: unknown };
type Found = { value: object | boolean; pointer: string };
type Target = Found | { why: string };

/** Makes one document of all files. A reference without a target costs only its node: anything is allowed there. */
export const bundleFiles = (entry: SourceDocument, path: string, options: BundleOptions = {}): Bundle =>
  new Bundler(entry, path, options).read();

class Bundler {
  readonly #entry: Part;
  readonly #parts: Map<string, Part>;
  readonly #mounts: Map<string, Part>;
  readonly #unread = new Map<string, string>();
  readonly #document: SourceDocument;
  readonly #notes: Notes;
  /** What schemas call themselves; nothing in OpenAPI 3.0, where they have no names of their own. */
  readonly #names: SchemaNames;
  readonly #scopes: DynamicScopes;
  readonly #readRemote: RemoteReader | undefined;
  readonly #isInside: (path: string) => boolean;
  /** What nodes were before their references were replaced. */
  readonly #written = new WeakMap<object, { before: object; targets: string[] }>();
  readonly #targets = new Map<string, Target>();
  readonly #endless = new Map<string, boolean>();
  /** Nodes whose reference is to a URI that no schema has so far. */
  readonly #postponed: OpenApiNode[] = [];

  constructor(entry: SourceDocument, path: string, { readRemote, allowOutsideRefs }: BundleOptions) {
    this.#entry = { document: entry, mount: '', from: isUrl(path) ? path : resolve(path) };
    this.#parts = new Map([[this.#entry.from, this.#entry]]);
    this.#mounts = new Map([['', this.#entry]]);
    const placeOf: SourceDocument['placeOf'] = (pointer) => {
      const { mount, within } = splitPointer(pointer);
      const part = this.#mounts.get(mount)?.document;
      return part === undefined ? entry.placeOf(pointer) : part.placeOf(within);
    };
    this.#document = {
      ...createSource(entry.file, { ...(entry.root as object) }, placeOf),
      listParts:
        entry.listParts ??
        (() => [
          ...[...this.#parts.values()].map(({ document: { file } }) => ({ file, problem: undefined })),
          ...[...this.#unread].map(([file, problem]) => ({ file, problem })),
        ]),
      ...defined({ createValidators: entry.createValidators }),
    };
    this.#notes = createNotes(this.#document);
    this.#names = new SchemaNames(this.#notes);
    this.#scopes = new DynamicScopes(this.#names, this.#notes, {
      findTarget: (text, from) => {
        const target = this.#findTarget(text, from, 'Schema');
        return typeof target === 'string' ? target : undefined;
      },
      copy: (pointer, number) => this.#copySchema(pointer, number),
    });
    this.#readRemote = readRemote;
    // The folder of the first document, after following links.
    const folders = [followLinks(dirname(this.#entry.from)), dirname(followLinks(this.#entry.from))];
    const fences = folders.map((folder) => (folder.endsWith(sep) ? folder : folder + sep));
    this.#isInside = (file) => allowOutsideRefs === true || fences.some((each) => followLinks(file).startsWith(each));
  }

  read(): Bundle {
    const document = this.#document;
    this.#addNames(this.#entry);
    const nodes = this.#walk(document.root as object);
    const isCut = cutCircles(nodes, {
      notes: this.#notes,
      targetOf: (schema) => document.at(pointerOf(referenceOf(schema) ?? '') ?? '/'),
    });
    return {
      document,
      // What stood below a keyword that was cut is no part of the document any more.
      nodes: isCut ? nodes.filter(({ value, pointer }) => document.at(pointer) === value) : nodes,
      notes: this.#notes,
      isMissing: (file, pointer) => {
        const to = locateFile(file, this.#partOf(pointer).from);
        return !isUrl(to) && this.#isInside(to) && !existsSync(to);
      },
    };
  }

  #partOf(pointer: string): Part {
    return this.#mounts.get(splitPointer(pointer).mount) ?? this.#entry;
  }

  #addNames({ document, mount, from }: Part): void {
    if (!readDialect(this.#document.root).readsBesideReference) return;
    const root = mount === '' ? this.#document.root : document.root;
    this.#names.add(root, mount, isUrl(from) ? from : pathToFileURL(from).href);
  }

  #walk(root: object): OpenApiNode[] {
    const found: OpenApiNode[] = [];
    const seen = new Set<string>();
    const kind = Object.hasOwn(root, 'openapi') ? 'Document' : 'Swagger';
    const ahead: OpenApiNode[] = [{ type: kind, value: root, pointer: '', above: undefined }];
    const follow = (node: OpenApiNode, isLast: boolean): void => {
      for (const { value, pointer } of this.#localize(node, isLast))
        if (typeof value === 'object') ahead.push({ type: node.type, above: node.type, value, pointer });
    };
    for (;;) {
      const node = ahead.pop();
      if (node === undefined) {
        if (this.#postponed.length === 0) return found;
        this.#targets.clear();
        for (const each of this.#postponed.splice(0)) follow(each, true);
        continue;
      }
      if (seen.has(node.pointer)) continue;
      seen.add(node.pointer);
      found.push(node);
      follow(node, false);
      for (const below of listNodesBelow(node).reverse()) ahead.push(below);
    }
  }

  #localize(node: OpenApiNode, isLast: boolean): Found[] {
    const holder = node.value as Referring;
    const known = this.#written.get(holder);
    if (known !== undefined)
      return known.targets.map((pointer) => this.#openAt(pointer)).filter((each) => isFound(each));
    const { $ref, $dynamicRef } = holder;
    const targets: [name: '$ref' | '$dynamicRef', text: string, target: Target][] = [];
    if (typeof $ref === 'string') targets.push(['$ref', $ref, this.#lookUp($ref, node)]);
    if (node.type === 'Schema' && typeof $dynamicRef === 'string' && !this.#names.isEmpty)
      targets.push(['$dynamicRef', $dynamicRef, this.#lookUpDynamic($dynamicRef, node)]);
    if (targets.length === 0) return [];
    const before = { ...holder };
    const mayBeNamedLater = (file: string): boolean => file !== '' && (isUrl(file) || !this.#names.isEmpty);
    if (!isLast && targets.some(([, text, target]) => !isFound(target) && mayBeNamedLater(text.split('#')[0] ?? ''))) {
      this.#postponed.push(node);
      return [];
    }
    const good: Found[] = [];
    for (const [name, text, target] of targets) {
      if (!isFound(target)) {
        delete holder[name];
        const where = `${node.pointer}/${name}`;
        this.#notes.add(where, `unresolved $ref ${hidePassword(text)}: it ${target.why}; treated as {}.`);
        continue;
      }
      good.push(target);
      const rule: Referring =
        typeof target.value === 'object' ? { $ref: `#${encodeURI(target.pointer)}` } : target.value ? {} : { not: {} };
      // A reference that stays one keeps its place among the fields.
      if (name !== '$ref' || rule.$ref === undefined) delete holder[name];
      const isFree = Object.keys(rule).every((key) => key === name || holder[key as keyof Referring] === undefined);
      if (isFree) Object.assign(holder, rule);
      else holder.allOf = [...(holder.allOf ?? []), rule];
    }
    this.#written.set(holder, { before, targets: good.map(({ pointer }) => pointer) });
    return good;
  }

  #lookUp(text: string, { pointer, type }: OpenApiNode): Target {
    const names = this.#names;
    const from = this.#scopes.toOriginal(pointer);
    const key = `${names.isEmpty ? splitPointer(from).mount : names.scopeOf(from)} ${type === 'Schema'} ${text}`;
    let target = this.#targets.get(key);
    if (target === undefined) {
      const found = this.#findTarget(text, from, type);
      target = typeof found === 'string' ? this.#openAt(found) : found;
      if (type !== 'Schema' && isFound(target) && typeof target.value !== 'object')
        target = { why: explainNowhere(target.value) };
      this.#targets.set(key, target);
    }
    return !isFound(target) || names.isEmpty ? target : this.#openAt(this.#scopes.enter(target.pointer, pointer));
  }

  #lookUpDynamic(text: string, { pointer }: OpenApiNode): Target {
    const initial = this.#findTarget(text, this.#scopes.toOriginal(pointer), 'Schema');
    const found = this.#scopes.resolve(text, pointer, typeof initial === 'string' ? initial : undefined);
    if (found === undefined) return typeof initial === 'string' ? { why: 'leads nowhere' } : initial;
    return this.#openAt(this.#scopes.enter(found, pointer));
  }

  #openAt(pointer: string): Target {
    const value = this.#document.at(pointer);
    const isGood = (typeof value === 'object' && value !== null) || typeof value === 'boolean';
    return isGood && !this.#leadsBack(pointer) ? { value, pointer } : { why: explainNowhere(value) };
  }

  #leadsBack(pointer: string): boolean {
    const visited = new Set<string>();
    let isEndless = false;
    for (let current: unknown = pointer; typeof current === 'string';) {
      const known = this.#endless.get(current);
      isEndless = known ?? visited.has(current);
      if (known !== undefined || isEndless) break;
      visited.add(current);
      const value = this.#document.at(current);
      const text = referenceOf(value);
      if (text === undefined) break;
      const written = this.#written.get(value as object);
      current = written ? written.targets[0] : this.#findTarget(text, this.#scopes.toOriginal(current), 'Schema');
    }
    for (const each of visited) this.#endless.set(each, isEndless);
    return isEndless;
  }

  #findTarget(text: string, pointer: string, type: NodeType): string | { why: string } {
    const names = this.#names;
    const find = (): ReturnType<SchemaNames['find']> =>
      type === 'Schema' && !names.isEmpty ? names.find(text, pointer) : undefined;
    const named = find();
    if (typeof named === 'string' && this.#document.at(named) !== undefined) return named;
    const from = this.#partOf(pointer);
    const [file = '', ...rest] = text.split('#');
    let part = file === '' ? from : this.#openPart(file, from);
    if ('why' in part && named === undefined && !names.isEmpty) {
      // Below an $id, a relative reference is to a URI beside that one.
      const uri = names.resolve(file, pointer);
      if (uri !== undefined && isUrl(uri) && !uri.startsWith('file:')) part = this.#openPart(uri, from);
    }
    if ('why' in part) return named === undefined ? part : typeof named === 'object' ? named : { why: 'leads nowhere' };
    const within = pointerOf(`#${rest.join('#')}`);
    if (within === undefined) {
      // The file may have been read just now, and with it its anchors.
      const inFile = find() ?? names.find(`#${rest.join('#')}`, part.mount);
      return names.isEmpty || inFile === undefined ? { why: 'is not a JSON Pointer' } : inFile;
    }
    const target = `${part.mount}${within}`;
    if (named !== undefined && file === '' && this.#document.at(target) !== undefined)
      this.#notes.add(
        pointer,
        `$ref ${text} is not found in the schema whose $id applies to it; it is resolved from the root of the file.`,
      );
    return target;
  }

  #openPart(file: string, from: Part): Part | { why: string } {
    const to = locateFile(file, from.from);
    const known = this.#parts.get(to);
    if (known !== undefined) return known;
    const name = nameFile(to, this.#entry.from);
    const shownAs = join(dirname(this.#entry.document.file), name);
    const read = this.#readPart(to, shownAs);
    if ('why' in read) {
      if (!isUrl(to) && this.#isInside(to)) this.#unread.set(shownAs, read.why);
      return read;
    }
    const part = { document: read, mount: `/${FILES}/${escapePointer(name)}`, from: to };
    this.#parts.set(to, part);
    this.#mount(part, name, read.root);
    this.#addNames(part);
    for (const { place, message } of read.oddities ?? []) this.#notes.add(place, message);
    return part;
  }

  #mount(part: Part, name: string, content: unknown): void {
    this.#mounts.set(part.mount, part);
    const files = ((this.#document.root as Record<string, object>)[FILES] ??= {});
    Object.defineProperty(files, name, { value: content, enumerable: true });
  }

  #copySchema(pointer: string, number: number): string {
    const part = this.#partOf(pointer);
    const name = `${nameFile(part.from, this.#entry.from)} (${number})`;
    const copied = this.#copyWritten(this.#document.at(pointer));
    const steps = parsePointer(splitPointer(pointer).within);
    const content = steps.reduceRight<unknown>((inside, step) => ({ [step]: inside }), copied);
    const mount = `/${FILES}/${escapePointer(name)}`;
    this.#mount({ ...part, mount }, name, content);
    return mount;
  }

  #copyWritten(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#copyWritten(each));
    if (!isObject(value)) return value;
    const before = this.#written.get(value)?.before ?? value;
    return Object.fromEntries(Object.entries(before).map(([key, each]) => [key, this.#copyWritten(each)]));
  }

  #readPart(path: string, shownAs: string): SourceDocument | { why: string } {
    const code = 'unusable-contract';
    try {
      if (!isUrl(path)) {
        if (!this.#isInside(path)) return { why: OUTSIDE };
        rejectEndless(path, shownAs);
        return readDocument(path, { code, shownAs, isTolerant: true });
      }
      const [, metaSchema] = META_SCHEMA.exec(path) ?? [];
      if (metaSchema !== undefined) {
        const file = require.resolve(`ajv/dist/refs/json-schema-2020-12/${metaSchema}.json`);
        return readDocument(file, { code, shownAs: path });
      }
      const fetched = this.#readRemote?.(path) ?? { why: REMOTE };
      return 'why' in fetched
        ? fetched
        : parseSource(fetched.text, { shownAs: hidePassword(path), code, isTolerant: true });
    } catch (error) {
      if (!(error instanceof PetstoreMockError)) throw error;
      return { why: `refers to a file that cannot be read: ${error.message.replace(/\.$/, '')}` };
    }
  }
}

const isFound = (target: Target): target is Found => !('why' in target);

function explainNowhere(value: unknown): string {
  if (value === undefined) return 'leads nowhere';
  return typeof value === 'object' && value !== null ? 'refers to itself' : 'does not refer to an object';
}

function isUrl(path: string): boolean {
  return /^[a-z][a-z\d+.-]+:|^\/\//i.test(path);
}

function locateFile(file: string, base: string): string {
  // A file name in a reference is percent-encoded (RFC 3986); one with a stray percent sign is taken literally.
  if (!isUrl(file) && !isUrl(base)) return resolve(dirname(base), decodeFragment(file) ?? file);
  const from = isUrl(base) ? base : undefined;
  return URL.canParse(file, from) ? new URL(file, from).href : file;
}

const nameFile = (path: string, entryPath: string): string =>
  isUrl(path) ? path : relative(dirname(entryPath), path).replaceAll('\\', '/');

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const OUTSIDE =
  "is outside the document's folder, which only a trusted document may read; if you trust it, pass --allow-outside-refs";
const REMOTE =
  'is a URL, and a $ref is not fetched over the network by default; save the document beside this file and refer to the copy, or pass --allow-remote-refs';
const META_SCHEMA =
  /^https:\/\/json-schema\.org\/draft\/2020-12\/(schema|meta\/(?:core|applicator|unevaluated|validation|meta-data|format-annotation|content))$/;
const require = createRequire(import.meta.url);
