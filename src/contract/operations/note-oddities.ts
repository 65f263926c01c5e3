import { escapePointer, type SourceDocument } from '../document/document.js';
import { shorten } from '../document/json.js';
import type { Notes } from '../document/notes.js';
import { asObject } from '../document/plain.js';
import { resolveAt } from '../document/references.js';
import { FORM, MULTIPART } from '../forms/media-types.js';
import { bareMediaType, isJsonMediaType } from '../media-types.js';
import type { Content, Operation } from '../model.js';
import { isRule } from '../schemas/keywords.js';
import { readTail, readTemplate } from './path-template.js';

/** The paths that can be served, which begin with a slash; notes those that do not, and those that are the same (OpenAPI 3.1.1, Paths Object). */
export function listPaths(document: SourceDocument, notes: Notes): string[] {
  const all = Object.entries(asObject(document.at('/paths'))).filter(([path]) => !path.startsWith('x-'));
  const known = new Map<string, string>();
  return all.flatMap(([path, item]) => {
    const pointer = `/paths/${escapePointer(path)}`;
    if (!path.startsWith('/')) {
      if (typeof item === 'object')
        notes.add(pointer, `the path ${path} does not begin with a slash; its operations are ignored.`);
      return [];
    }
    if (path.length > LONGEST_PATH) {
      notes.add(pointer, `the path ${shorten(path)} is longer than a request may be; its operations are ignored.`);
      return [];
    }
    const texts = readTemplate(path).map(({ text }) => text.replaceAll(/\{[^{}]+\}/g, '{}'));
    const same = `${texts.join('/')}#${readTail(path)}`;
    const first = known.get(same);
    known.set(same, first ?? path);
    if (first !== undefined)
      notes.add(
        pointer,
        `the paths ${first} and ${path} differ only in parameter names; if both have an operation with the same method, the first one is used.`,
      );
    return [path];
  });
}

/** Node takes request lines and header fields of 16 KiB together. */
const LONGEST_PATH = 8000;

/** Whether a key of `responses` is one (OpenAPI 3.1.1, Responses Object). */
export function isStatus(key: string): boolean {
  return /^(?:[1-9]\d\d|[1-5]XX|default)$/i.test(key);
}

/** Notes what of the responses and of the body is left out or not validated. */
export function noteOperation(document: SourceDocument, operation: Operation, notes: Notes): void {
  const { id, pointer, responses, requestBody } = operation;
  const keys = Object.keys(asObject(document.at(`${pointer}/responses`)));
  for (const key of keys.filter((each) => !isStatus(each) && !each.startsWith('x-')))
    notes.add(
      `${pointer}/responses/${escapePointer(key)}`,
      `a response needs a status, a range such as 4XX, or default, not ${shorten(key)}; it is ignored.`,
    );
  if (responses.length === 0)
    notes.add(pointer, `${id} documents no response; the mock returns 501 where it would return a success.`);
  for (const { status, content, pointer: at } of responses)
    if (/^(?:204|205|304|1\d\d)$/.test(status) && content.length > 0)
      notes.add(`${at}/content`, `a ${status} response has no body (RFC 9110); its \`content\` is ignored.`);
  for (const content of requestBody?.content ?? [])
    if (!isJudged(content) && hasRules(document, content))
      notes.add(content.schemaPointer ?? pointer, `the body ${content.mediaType} of ${id} is not validated.`);
}

/** Whether the mock reads a body of this media type, and so validates it. */
function isJudged({ mediaType, itemPointer, shape }: Content): boolean {
  const bare = bareMediaType(mediaType);
  if (itemPointer !== undefined || bare === FORM || bare === MULTIPART || isJsonMediaType(bare)) return true;
  if (bare.startsWith('text/')) return shape.types.length === 0 || shape.types.includes('string');
  return /^(?:application|\*)\/\*$/.test(bare);
}

/** Of a text or of bytes, `type: string` and its format say nothing that could be broken. */
function hasRules(document: SourceDocument, { schemaPointer = '' }: Content): boolean {
  const schema = asObject(schemaPointer === '' ? undefined : resolveAt(document, schemaPointer).value);
  return Object.keys(schema).some(
    (name) => isRule(name) && name !== 'format' && !(name === 'type' && schema[name] === 'string'),
  );
}
