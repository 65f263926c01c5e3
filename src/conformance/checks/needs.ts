// What would tell a defect from something else: keys that are none, values that a service may reject, records that have moved.
import { printJson, keyOfJson } from '../../contract/document/json.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { RunTexts } from '../ledger/run-texts.js';
import { findAsked, identifyRecord } from '../ledger/shown-records.js';
import type { SentRequest } from '../model/exchange.js';
import { followPointer, readPathKey, type GuessedKey, type Invented } from '../model/records.js';
import { OWN_UUID } from '../resources/unique-texts.js';
import { turnAround } from '../http/template.js';
import type { CheckContext } from './check.js';

/** What would tell a record that is lost from a key that is none; `undefined` once a record was found by such a key. */
export function explainGuess(guessed: readonly GuessedKey[], { learned }: Pick<RecordLedger, 'learned'>) {
  const open = guessed.find(({ of }) => !learned.found.has(of));
  if (open === undefined) return undefined;
  return `a response to the create that has the key of the record: ${open.property} was used as the key, and no record was found by it (--resources can name another)`;
}

function listValues(fields: readonly string[], { at }: Pick<Invented, 'at'>, json: unknown, { mark }: RunTexts) {
  const record = followPointer(json, at);
  return fields.map((field) => {
    if (json === undefined) return { field, key: field };
    const value = followPointer(record, `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    const text = value === undefined ? '' : printJson(value);
    const isOwn = [mark, turnAround(mark), OWN_UUID].some((own) => text.includes(own));
    return { field, key: `${field} ${isOwn ? mark : String(keyOfJson(value))}` };
  });
}

export function rememberTaken({ learned, texts }: RecordLedger, invented: Invented, { json }: SentRequest): void {
  const taken = learned.taken.get(invented.of) ?? new Set();
  for (const { field, key } of listValues([...invented.fields, ...invented.choices], invented, json, texts))
    taken.add(field).add(key);
  learned.taken.set(invented.of, taken);
}

export function listUnproven(
  invented: Invented,
  { json }: Pick<SentRequest, 'json'>,
  { learned, texts }: RecordLedger,
  fields = invented.fields,
): string[] {
  const known = learned.taken.get(invented.of);
  return listValues(fields, invented, json, texts)
    .filter(({ key }) => known?.has(key) !== true)
    .map(({ field }) => field);
}

function listOwn(value: unknown, texts: RunTexts): string[] {
  return value === undefined ? [] : texts.list(printJson(value));
}

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
  if (!learned.renamed.has(String(key))) return undefined;
  return `a service whose records retain their keys: ${String(key)} was derived from a name, and the record has another key now`;
}

type OfRecords = Pick<CheckContext, 'sent' | 'contract' | 'ledger'>;

/** What would tell a record that is lost from one that has ended by itself, as the response to its creation says. */
export function explainEnded(key: unknown, { sent, contract, ledger }: OfRecords): string | undefined {
  const { subject } = findAsked(contract, sent) ?? {};
  const read = readPathKey(key);
  if (subject === undefined || read === undefined) return undefined;
  const field = ledger.endedBy(identifyRecord(subject, sent.path, read));
  return field === undefined ? undefined : `a record that lasts: by its \`${field}\` this one may be gone by now`;
}

export function explainOldKey(context: OfRecords): string | undefined {
  const key = readAskedKey(context.sent);
  return explainRenaming(key, context.ledger) ?? explainEnded(key, context);
}

/** A service may keep a name of which the key is made (RFC 9110 section 9.3.4), or write it in the form of keys. */
export function explainKept(
  field: string,
  { record, sent: value, sentKey }: { record: Readonly<Record<string, unknown>>; sent: unknown; sentKey: unknown },
  { keyProperty }: { keyProperty: string },
  texts: RunTexts,
): string | undefined {
  const [own] = listOwn(record[field], texts);
  if (own === undefined || sentKey !== undefined || !listOwn(record[keyProperty], texts).includes(own))
    return undefined;
  const sent = String(value);
  if (!sent.includes(own))
    return `a service that changes \`${field}\`: here the key is derived from it, and neither changes`;
  if (/^[\w.-]*$/.test(sent)) return undefined;
  return `a service that stores \`${field}\` as sent: here the key is derived from it, and keys have a restricted form`;
}
