import { dirname, join, relative, resolve } from 'node:path';
import { PetstoreMockError } from '../../errors.js';
import { createSource, escapePointer, readDocument, type SourceDocument } from './document.js';
import { FILES, fileNameOf, splitPointer } from './file-pointers.js';
import { listReferences, type Reference } from './references.js';

/** A file of the whole. */
interface Part {
  document: SourceDocument;
  /** JSON Pointer to its content in the whole; `''` for the file that was asked for. */
  mount: string;
}

/**
 * Reads the files that a document refers to, and those that these refer to,
 * and makes one document of them in which every reference is local. The place
 * of each value stays that in its own file. Throws a `PetstoreMockError` with
 * the place of a reference that leads to no file. A document that refers to no
 * other comes back as it is.
 */
export function bundleFiles(entry: SourceDocument, path: string): SourceDocument {
  const entryPath = resolve(path);
  const parts = new Map<string, Part>([[entryPath, { document: entry, mount: '' }]]);
  // A map hands out what is added while it is walked.
  for (const [from, part] of parts) {
    for (const reference of listReferences(part.document.root)) {
      const target = splitReference(reference, part.document);
      const to = target.file === '' ? from : resolve(dirname(from), target.file);
      if (!parts.has(to)) parts.set(to, readPart(to, { entry, entryPath, reference, from: part.document }));
      reference.rewrite(`#${encodeURI(parts.get(to)?.mount ?? '')}${target.fragment}`);
    }
  }
  return parts.size === 1 ? entry : joinParts(entry, [...parts.values()]);
}

function splitReference({ text, pointer }: Reference, document: SourceDocument): { file: string; fragment: string } {
  const hash = text.indexOf('#');
  const file = hash === -1 ? text : text.slice(0, hash);
  const fragment = hash === -1 ? '' : text.slice(hash + 1);
  if (/^[a-z][a-z\d+.-]+:|^\/\//i.test(file)) {
    const remedy = 'nothing is loaded over the network; save it beside this file and refer to that.';
    throw broken(document, pointer, `the reference ${text} is a URL, and ${remedy}`);
  }
  return { file: decode(file), fragment };
}

/** A file name in a reference is percent-encoded (RFC 3986); one with a stray percent sign means itself. */
function decode(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

interface Found {
  entry: SourceDocument;
  entryPath: string;
  reference: Reference;
  from: SourceDocument;
}

function readPart(path: string, { entry, entryPath, reference, from }: Found): Part {
  const name = relative(dirname(entryPath), path).replaceAll('\\', '/');
  const shownAs = join(dirname(entry.file), name);
  try {
    const document = readDocument(path, { code: 'unusable-contract', shownAs });
    return { document, mount: `/${FILES}/${escapePointer(name)}` };
  } catch (error) {
    if (!(error instanceof PetstoreMockError) || error.code !== 'unreadable-file') throw error;
    throw broken(from, reference.pointer, `the reference ${reference.text} leads to no file: ${error.message}`);
  }
}

function joinParts(entry: SourceDocument, parts: readonly Part[]): SourceDocument {
  const others = parts.filter(({ mount }) => mount !== '');
  const files = Object.fromEntries(others.map(({ document, mount }) => [fileNameOf(mount), document.root]));
  const root = { ...(entry.root as object), [FILES]: files };
  return createSource(entry.file, root, (pointer) => {
    const { mount, within } = splitPointer(pointer);
    const part = others.find((each) => each.mount === mount)?.document ?? entry;
    return part.placeOf(within);
  });
}

function broken(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-contract', message, document.placeOf(`${pointer}/$ref`));
}
