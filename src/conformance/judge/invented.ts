// What a run made up, which a service may refuse by a rule that the contract does not state.
import { keyOfJson, printJson } from '../../contract/document/json.js';
import type { SentRequest } from '../model/sent-request.js';
import type { GuessedKey, Invented } from '../model/record-rules.js';
import { turnAround } from '../wire/request/template.js';
import { followPointer } from '../model/follow-pointer.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import { OWN_UUID } from '../subjects/records/own-uuid.js';

/** What would tell a record that is lost from a key that is none; `undefined` once a record was found by such a key. */
export function explainGuess(
  guessed: readonly GuessedKey[],
  { learned }: Pick<RecordLedger, 'learned'>,
): string | undefined {
  const open = guessed.find(({ of }) => !learned.found.has(of));
  if (open === undefined) return undefined;
  return `a response to the create that has the key of the record: ${open.property} was used as the key, and no record was found by it (--resources can name another)`;
}

/** The same for all texts of a run's own: a service that took one takes them all. */
function printValue(value: unknown, mark: string): string {
  const text = value === undefined ? '' : printJson(value);
  return [mark, turnAround(mark), OWN_UUID].some((own) => text.includes(own)) ? mark : String(keyOfJson(value));
}

/** Each field with its value; without a value where the body is no JSON. */
function listValues(
  { at }: Pick<Invented, 'at'>,
  fields: readonly string[],
  json: unknown,
  mark: string,
): { field: string; key: string }[] {
  const record = followPointer(json, at);
  return fields.map((field) => {
    const value = followPointer(record, `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    return { field, key: json === undefined ? field : `${field} ${printValue(value, mark)}` };
  });
}

/** Notes what the target took. */
export function rememberTaken(
  { learned, texts }: RecordLedger,
  invented: Invented,
  { json }: Pick<SentRequest, 'json'>,
): void {
  const { fields, choices } = invented;
  const taken = learned.taken.get(invented.of) ?? new Set();
  for (const { field, key } of listValues(invented, [...fields, ...choices], json, texts.mark))
    taken.add(field).add(key);
  learned.taken.set(invented.of, taken);
}

/** The fields with a value that the target has never taken. */
export function listUnproven(
  invented: Invented,
  { json }: Pick<SentRequest, 'json'>,
  { learned, texts }: RecordLedger,
  fields = invented.fields,
): string[] {
  const known = learned.taken.get(invented.of);
  return listValues(invented, fields, json, texts.mark).flatMap(({ field, key }) =>
    known?.has(key) === true ? [] : [field],
  );
}
