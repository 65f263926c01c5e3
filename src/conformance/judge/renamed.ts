// Records whose key is made of what a client sends: another name gives them another key.
import { printJson } from '../../contract/document/json.js';
import type { SentRequest } from '../model/sent-request.js';
import { COUNTED, type TargetMemory } from './target-memory.js';

/** The texts of the run's own that stand in a value. */
function listOwn(value: unknown, mark: string): string[] {
  const text = value === undefined ? '' : printJson(value);
  return text.match(new RegExp(`${mark}[a-z]{${COUNTED}}`, 'g')) ?? [];
}

/** The key in the path of a request for one record. */
function keyOf({ operation, path }: SentRequest): unknown {
  const [, name] = /\{([^{}]+)\}$/.exec(operation?.path ?? '') ?? [];
  return name === undefined ? undefined : path[name];
}

/** Notes a key that was made of a name, once a change that was accepted gave the record another one. */
export function rememberRenaming(memory: TargetMemory, sent: SentRequest): void {
  if (sent.method !== 'PUT' && sent.method !== 'PATCH') return;
  const key = keyOf(sent);
  const [before] = listOwn(key, memory.mark);
  const now = listOwn(sent.json, memory.mark);
  if (before !== undefined && now.length > 0 && !now.includes(before)) memory.renamed.add(String(key));
}

/** What would tell a record that is lost from one that has another key by now. */
export function explainRenaming(
  key: unknown,
  { renamed }: Pick<Readonly<TargetMemory>, 'renamed'>,
): string | undefined {
  return renamed.has(String(key))
    ? `a service whose records retain their keys: ${String(key)} was made of a name, and the record has another by now`
    : undefined;
}

/** The same of the record that a request asks for. */
export function explainOldKey(sent: SentRequest, memory: Readonly<TargetMemory>): string | undefined {
  return explainRenaming(keyOf(sent), memory);
}

/**
 * What would tell a name that is lost from one of which the key is made: a service may keep both, since the path of a
 * replacement says which record it is (RFC 9110 section 9.3.4), or write what stands in paths in a form of its own.
 */
export function explainKept(
  field: string,
  { record, sent: value, sentKey }: { record: Readonly<Record<string, unknown>>; sent: unknown; sentKey: unknown },
  { keyProperty }: { keyProperty: string },
  mark: string,
): string | undefined {
  const [own] = listOwn(record[field], mark);
  // A key that was sent beside it is made of nothing.
  if (own === undefined || sentKey !== undefined || !listOwn(record[keyProperty], mark).includes(own)) return undefined;
  const sent = String(value);
  if (!sent.includes(own))
    return `a service that gives a record another \`${field}\`: the key is made of it here, and both stay as they were`;
  return /^[\w.-]*$/.test(sent)
    ? undefined
    : `a service that writes \`${field}\` as it was sent: the key is made of it here, and keys have a form of their own`;
}
