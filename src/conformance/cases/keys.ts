// Keys: those that a client chooses, integers near those of records, and what a rejected or a removed record leaves of its key.
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { saysNeverReused } from '../../contract/operations/said-in-words.js';
import type { Row } from '../model/scenario.js';
import { isCreatable, referToKeys, type Binding, type Tables } from '../resources/instance.js';
import { readCases, type CaseRow } from '../resources/field-values.js';
import { isOwnText, isUnique, UNIQUE_LENGTH } from '../resources/fit-record.js';
import { listInvalid } from '../resources/invalid-records.js';
import { creatorOf, findKeyParameter } from '../resources/resource-under-test.js';

/** Integers that the contract allows as a key, of which a service may have a record or not, but no other than that. */
function listEdgeKeys({ subject, contract }: Binding): Row[] {
  const at = findKeyParameter(subject)?.schemaPointer;
  if (subject.resource.key.kind !== 'integer' || at === undefined) return [];
  const isKey = (value: unknown): boolean => contract.validate.value(at, value).length === 0;
  // A path that allows more than integers may have a name behind the digits.
  const takesDigitsAlone = [1.5, '1.5', '1abc'].every((value) => !isKey(value));
  const { create } = subject.roles;
  return readCases('keys').flatMap(({ id, words = id, key, such }): Row[] => {
    if (key !== undefined) return isKey(key) ? [{ id, words, key }] : [];
    const isAlias = create !== undefined && (such === undefined ? takesDigitsAlone : isKey(such));
    return isAlias ? [{ id, words, key: `${referToKeys('aliasKeys', create)}/${id}` }] : [];
  });
}

function takeKeys(binding: Binding): (text: string) => Record<string, unknown> | undefined {
  const { subject, made, contract } = binding;
  const { property, sentAs = property } = subject.resource.key;
  const at = findKeyParameter(subject)?.schemaPointer;
  const isChosen = subject.putsNew === undefined && isOwnText(made.full[sentAs]) && subject.roles.get !== undefined;
  return (text) => {
    const plain = text.replaceAll(/\{\$[^{}]*\}/g, 'u'.repeat(UNIQUE_LENGTH));
    const isInPath = at === undefined || contract.validate.value(at, plain).length === 0;
    const isTaken = isChosen && isInPath && isCreatable({ [sentAs]: plain }, binding);
    return isTaken ? { ...made.full, [sentAs]: text } : undefined;
  };
}

function listOwnKeys(of: CaseRow<'own-keys'>['of'], binding: Binding): Row[] {
  const make = takeKeys(binding);
  return readCases('own-keys', of).flatMap(({ id, words, text }) => {
    const record = make(text);
    return record === undefined ? [] : [{ id, words, key: text, record }];
  });
}

/** Two keys, and two others that differ in the same way, of which only the first is that of a record. */
function listFoldedKeys(binding: Binding): Row[] {
  const make = takeKeys(binding);
  const { property, sentAs } = binding.subject.resource.key;
  const isShown = binding.subject.fields.some(({ name, isShown: is }) => name === property && is);
  if (!isShown || sentAs !== undefined) return [];
  return readCases('own-keys', 'folded').flatMap(({ id, words, text, other }) => {
    const [record, second] = [make(`{$unique}${text}`), make(`{$steps.first.outputs.unique}${other}`)];
    if (record === undefined || second === undefined) return [];
    const key = `{$steps.again.outputs.unique}${other}`;
    // Letter by letter, where keys in another case count as the same elsewhere.
    return [{ id, words, record, other: second, key, shown: { [property]: key } }];
  });
}

function listFoldedParentKeys({ parent }: Binding): Row[] {
  if (parent === undefined) return [];
  const make = takeKeys(parent);
  return readCases('own-keys', 'folded').flatMap(({ id, words, text, other }) => {
    const record = make(`{$unique}${text}`);
    const key = `{$steps.parent.outputs.unique}${other}`;
    return record === undefined || make(key) === undefined ? [] : [{ id, words, record, key }];
  });
}

function listKeyForms({ subject }: Binding): Row[] {
  const key = `{$scenarios.${creatorOf(subject)}.outputs.key}`;
  return readCases('numbers', 'forms').map(({ id, text = '' }) => ({ id, key: text.replace('{own}', () => key) }));
}

function listKeysOutOfRange({ subject }: Binding): Row[] {
  const format = findKeyParameter(subject)?.schema['format'];
  const beyond = readCases('bad-values').filter((row) => row.type === 'number' && row.format === format);
  return format === undefined ? [] : beyond.map(({ value }) => ({ id: String(value), key: String(value) }));
}

function isKeyOwn({ subject: { resource, putsNew }, made }: Binding): boolean {
  return resource.key.givenBy === 'client' && putsNew === undefined && isUnique(made.full[resource.key.property]);
}

function listRejectedKeys(binding: Binding): Row[] {
  const { property } = binding.subject.resource.key;
  const rows = isKeyOwn(binding) ? listInvalid(binding) : [];
  return rows
    .filter(({ field, record }) => field !== property && isUnique(record[property]))
    .slice(0, 1)
    .map(({ words, record }) => ({ id: 'key', words, record, key: `$steps.invalid.outputs.sent#/${property}` }));
}

function listOnce({ subject: { resource, roles, putsNew }, contract: { document } }: Binding): Row[] {
  const { create, remove } = roles;
  if (create === undefined || remove === undefined || putsNew !== undefined || resource.key.givenBy !== 'service')
    return [];
  const places = ['/info', create.operation.pointer, resource.key.schemaPointer];
  const texts = places.map((at) => asText(asObject(resolveAt(document, at).value)['description']) ?? '');
  return texts.some((each) => saysNeverReused(each.replaceAll(/\s+/g, ' '))) ? [{ id: 'key' }] : [];
}

function listTakenKey(binding: Binding): Row[] {
  // Where the contract says that a key is taken: other services may have two records under one.
  const responses = binding.subject.roles.create?.operation.responses ?? [];
  return isKeyOwn(binding) && responses.some(({ status }) => status === '409') ? [{ id: 'key' }] : [];
}

export const KEY_TABLES: Tables = {
  $oddKeys: listEdgeKeys,
  $ownKeys: (binding) => listOwnKeys('written', binding),
  $ownParentKeys: ({ parent }) => (parent === undefined ? [] : listOwnKeys('written', parent)),
  $reservedKeys: (binding) => listOwnKeys('reserved', binding),
  $foldedKeys: listFoldedKeys,
  $foldedParentKeys: listFoldedParentKeys,
  $keyForms: listKeyForms,
  $keysOutOfRange: listKeysOutOfRange,
  $rejectedKeys: listRejectedKeys,
  $ownKey: (binding) => (isKeyOwn(binding) ? [{ id: 'key' }] : []),
  $takenKey: listTakenKey,
  $keysGivenOnce: listOnce,
};
