import { dirname, join, resolve } from 'node:path';
import { createSource, escapePointer, type DocumentPart, type SourceDocument } from './document.js';
import { FILES, splitPointer } from './file-pointers.js';
import { createNotes, type Notes } from './notes.js';
import { listNodesBelow, type NodeType } from './openapi-nodes.js';
import { createFence, isUrl, locateFile, nameFile, readPart } from './read-part.js';
import { pointerOf, referenceOf } from './references.js';
import { hidePassword } from '../remote/fetched.js';
import type { RemoteReader } from '../remote/read-remote.js';

/** A node of a document, wherever it is. */
export interface OpenApiNode {
  type: NodeType;
  value: object;
  /** JSON Pointer into the whole document. */
  pointer: string;
  /** The kind of the node above it; for a node that only a reference leads to, the kind of the referring node. */
  above: NodeType | undefined;
}

/** A document of one file or several, with every reference local, and all its nodes with their kinds. */
export interface Bundle {
  document: SourceDocument;
  nodes: readonly OpenApiNode[];
  notes: Notes;
}

export interface BundleOptions {
  /** Reads documents at URLs that references name. Default: none are read. */
  readRemote?: RemoteReader | undefined;
  /** Whether files outside the document's folder are read. Default: `false`. */
  allowOutsideRefs?: boolean | undefined;
}

/** One file of the whole document. */
interface Part {
  document: SourceDocument;
  /** JSON Pointer to its content in the whole; `''` for the first file. */
  mount: string;
  /** Path or URL. */
  from: string;
}

interface Reading {
  readRemote: RemoteReader | undefined;
  /** Whether a file may be read. */
  isInside: (path: string) => boolean;
  entry: Part;
  parts: Map<string, Part>;
  /** Why files could not be read, by name. */
  unread: Map<string, string>;
  document: SourceDocument;
  notes: Notes;
  /** The local reference that replaces the one in each node. */
  rewritten: WeakMap<object, string>;
  /** The target of each reference in a file, since most occur many times. */
  targets: Map<string, Target>;
}

/** The target of a reference, or why it has none. */
type Target = Pick<OpenApiNode, 'value' | 'pointer'> | { why: string };

/**
 * Reads a document node by node, with the files that it refers to, directly or through others, and makes one document
 * of them. Each value keeps its place in its own file. A reference without a target costs only the referring node:
 * anything is allowed there, and a note says so.
 */
export function bundleFiles(entry: SourceDocument, path: string, options: BundleOptions = {}): Bundle {
  const first: Part = { document: entry, mount: '', from: resolve(path) };
  const parts = new Map([[first.from, first]]);
  const unread = new Map<string, string>();
  const document = joinParts(entry, parts, unread);
  const notes = createNotes(document);
  const reading: Reading = {
    entry: first,
    parts,
    unread,
    document,
    notes,
    readRemote: options.readRemote,
    isInside: options.allowOutsideRefs === true ? () => true : createFence(first.from),
    rewritten: new WeakMap(),
    targets: new Map(),
  };
  return { document, nodes: walk(document.root as object, reading), notes };
}

function walk(root: object, reading: Reading): OpenApiNode[] {
  const found: OpenApiNode[] = [];
  const seen = new Set<string>();
  const kind = Object.hasOwn(root, 'openapi') ? 'Document' : 'Swagger';
  const ahead: OpenApiNode[] = [{ type: kind, value: root, pointer: '', above: undefined }];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (seen.has(node.pointer)) continue;
    seen.add(node.pointer);
    found.push(node);
    const { type, pointer } = node;
    const target = referenceOf(node.value) === undefined ? undefined : localize(node, reading);
    if (target !== undefined) ahead.push({ type, above: type, ...target });
    // The first one is read next.
    for (const below of listNodesBelow(type, node.value).reverse()) {
      const at = `${pointer}${below.path.map((step) => `/${escapePointer(step)}`).join('')}`;
      ahead.push({ type: below.type, value: below.value, pointer: at, above: type });
    }
  }
  return found;
}

/** Makes a node's reference local and returns its target; removes a reference without a target. */
function localize(node: OpenApiNode, reading: Reading): Pick<OpenApiNode, 'value' | 'pointer'> | undefined {
  const holder = node.value as { $ref?: string };
  const text = holder.$ref ?? '';
  const known = reading.rewritten.get(holder);
  const target = known === undefined ? lookUp(text, node.pointer, reading) : openAt(known, reading);
  if ('why' in target) {
    reading.notes.add(
      `${node.pointer}/$ref`,
      `the reference ${hidePassword(text)} ${target.why}; anything is allowed there.`,
    );
    delete holder.$ref;
    return undefined;
  }
  holder.$ref = `#${encodeURI(target.pointer)}`;
  reading.rewritten.set(holder, target.pointer);
  return target;
}

function lookUp(text: string, from: string, reading: Reading): Target {
  const key = `${splitPointer(from).mount} ${text}`;
  const known = reading.targets.get(key);
  if (known !== undefined) return known;
  const pointer = findTarget(text, from, reading);
  const target = typeof pointer === 'string' ? openAt(pointer, reading) : pointer;
  reading.targets.set(key, target);
  return target;
}

function openAt(pointer: string, reading: Reading): Target {
  const value = reading.document.at(pointer);
  const isGood = typeof value === 'object' && value !== null && !leadsBack(pointer, reading);
  return isGood ? { value, pointer } : { why: explainNowhere(value) };
}

function explainNowhere(value: unknown): string {
  if (value === undefined) return 'leads nowhere';
  return typeof value === 'object' && value !== null ? 'leads back to itself' : 'does not lead to an object';
}

/** Whether a chain of references from here never ends. */
function leadsBack(pointer: string, reading: Reading): boolean {
  const visited = new Set<string>();
  let current = pointer;
  for (;;) {
    if (visited.has(current)) return true;
    visited.add(current);
    const value = reading.document.at(current);
    const text = referenceOf(value);
    if (text === undefined) return false;
    const next = reading.rewritten.get(value as object) ?? findTarget(text, current, reading);
    if (typeof next !== 'string') return false;
    current = next;
  }
}

/** The pointer of a reference's target, or why it has none. */
function findTarget(text: string, pointer: string, reading: Reading): string | { why: string } {
  const { mount } = splitPointer(pointer);
  const from = [...reading.parts.values()].find((part) => part.mount === mount) ?? reading.entry;
  const hash = text.indexOf('#');
  const file = hash === -1 ? text : text.slice(0, hash);
  const part = file === '' ? from : openPart(file, from, reading);
  if ('why' in part) return part;
  const within = pointerOf(`#${hash === -1 ? '' : text.slice(hash + 1)}`);
  return within === undefined ? { why: 'is not a JSON Pointer' } : `${part.mount}${within}`;
}

/** The file or URL that a reference names. */
function openPart(
  file: string,
  from: Part,
  { entry, parts, unread, readRemote, isInside, document }: Reading,
): Part | { why: string } {
  const to = locateFile(file, from.from);
  const known = parts.get(to);
  if (known !== undefined) return known;
  const name = nameFile(to, entry.from);
  const shownAs = join(dirname(entry.document.file), name);
  const read = readPart(to, { shownAs, isInside, readRemote });
  if ('why' in read) {
    if (!isUrl(to) && isInside(to)) unread.set(shownAs, read.why);
    return read;
  }
  const part = { document: read, mount: `/${FILES}/${escapePointer(name)}`, from: to };
  parts.set(to, part);
  mountIn(document.root as Record<string, unknown>, name, read.root);
  return part;
}

/** Puts the content of a file at the place to which references to it lead. */
function mountIn(root: Record<string, unknown>, name: string, content: unknown): void {
  const files = (root[FILES] ??= {}) as Record<string, unknown>;
  Object.defineProperty(files, name, { value: content, enumerable: true });
}

/** One document from all parts, including those still to come. */
function joinParts(
  entry: SourceDocument,
  parts: ReadonlyMap<string, Part>,
  unread: ReadonlyMap<string, string>,
): SourceDocument {
  const source = createSource(entry.file, { ...(entry.root as object) }, (pointer) => {
    const { mount, within } = splitPointer(pointer);
    const part = [...parts.values()].find((each) => each.mount === mount)?.document;
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
