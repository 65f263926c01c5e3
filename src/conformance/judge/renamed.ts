// Records that are not at their key any more: where it is made of what a client sends, another name gives them another key; others end
// by themselves.
import { printJson } from '../../contract/document/json.js';
import { findAsked, identifyRecord } from '../ledger/shown-records.js';
import { readPathKey } from '../model/path-key.js';
import type { CheckContext } from './check.js';
import type { SentRequest } from '../model/sent-request.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { RunTexts } from '../ledger/run-texts.js';

/** The texts of the run's own that stand in a value. */
function listOwn(value: unknown, texts: RunTexts): string[] {
  return value === undefined ? [] : texts.list(printJson(value));
}

/** The key in the path of a request for one record. */
function readAskedKey({ operation, path }: SentRequest): unknown {
  const [, name] = /\{([^{}]+)\}$/.exec(operation?.path ?? '') ?? [];
  return name === undefined ? undefined : path[name];
}

/** Notes a key that was made of a name, once a change that was accepted gave the record another one. */
export function rememberRenaming({ texts, learned }: RecordLedger, sent: SentRequest): void {
  if (sent.method !== 'PUT' && sent.method !== 'PATCH') return;
  const key = readAskedKey(sent);
  const [before] = listOwn(key, texts);
  const now = listOwn(sent.json, texts);
  if (before !== undefined && now.length > 0 && !now.includes(before)) learned.renamed.add(String(key));
}

/** What would tell a record that is lost from one that has another key by now. */
export function explainRenaming(key: unknown, { learned }: Pick<RecordLedger, 'learned'>): string | undefined {
  return learned.renamed.has(String(key))
    ? `a service whose records retain their keys: ${String(key)} was derived from a name, and the record has another key now`
    : undefined;
}

/** What would tell a record that is lost from one that has ended by itself, as the response to its creation says. */
export function explainEnded(
  key: unknown,
  { sent, contract, ledger }: Pick<CheckContext, 'sent' | 'contract' | 'ledger'>,
): string | undefined {
  const { subject } = findAsked(contract, sent) ?? {};
  const read = readPathKey(key);
  const field =
    subject === undefined || read === undefined ? undefined : ledger.endedBy(identifyRecord(subject, sent.path, read));
  return field === undefined ? undefined : `a record that lasts: by its \`${field}\` this one may be gone by now`;
}

/** The same of the record that a request asks for, whichever of them explains it. */
export function explainOldKey(context: Pick<CheckContext, 'sent' | 'contract' | 'ledger'>): string | undefined {
  const key = readAskedKey(context.sent);
  return explainRenaming(key, context.ledger) ?? explainEnded(key, context);
}

/**
 * What would tell a name that is lost from one of which the key is made: a service may keep both, since the path of a
 * replacement says which record it is (RFC 9110 section 9.3.4), or write what stands in paths in a form of its own.
 */
export function explainKept(
  field: string,
  { record, sent: value, sentKey }: { record: Readonly<Record<string, unknown>>; sent: unknown; sentKey: unknown },
  { keyProperty }: { keyProperty: string },
  texts: RunTexts,
): string | undefined {
  const [own] = listOwn(record[field], texts);
  // A key that was sent beside it is made of nothing.
  if (own === undefined || sentKey !== undefined || !listOwn(record[keyProperty], texts).includes(own))
    return undefined;
  const sent = String(value);
  if (!sent.includes(own))
    return `a service that changes \`${field}\`: here the key is derived from it, and neither changes`;
  return /^[\w.-]*$/.test(sent)
    ? undefined
    : `a service that stores \`${field}\` as sent: here the key is derived from it, and keys have a restricted form`;
}
