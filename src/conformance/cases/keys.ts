// Keys that a client chooses, and integers near the keys of records.
import type { Row } from '../model/scenario.js';
import { referToKeys, type Binding, type Tables } from '../resources/instance.js';
import { readCases, type CaseRow } from '../resources/field-values.js';
import { isAllowed, isOwnText, UNIQUE_LENGTH } from '../resources/fit-record.js';
import { findKeyParameter } from '../resources/resource-under-test.js';

/** Integers that the contract allows as a key, of which a service may have a record or not, but no other than that. */
function listEdgeKeys({ subject, contract }: Binding): Row[] {
  const at = findKeyParameter(subject)?.schemaPointer;
  if (subject.resource.key.kind !== 'integer' || at === undefined) return [];
  const isKey = (value: unknown): boolean => contract.validate.value(at, value).length === 0;
  const rows = readCases('keys');
  const fixed = rows
    .filter(({ key }) => key !== undefined && isKey(key))
    .map(({ id, key }) => ({ id, words: id, key }));
  const { create } = subject.roles;
  if (create === undefined) return fixed;
  // A path that allows more than integers may have a name behind the digits.
  const takesDigitsAlone = [1.5, '1.5', '1abc'].every((value) => !isKey(value));
  const aliases = rows
    .filter(({ key, such }) => key === undefined && (such === undefined ? takesDigitsAlone : isKey(such)))
    .map(({ id, words }) => ({ id, words, key: `${referToKeys('aliasKeys', create)}/${id}` }));
  return [...fixed, ...aliases];
}

/** Makes a record with a key; `undefined` where a client does not choose it, or the contract does not allow it. */
function takeKeys({ subject, made, contract }: Binding): (text: string) => Record<string, unknown> | undefined {
  const { create, get } = subject.roles;
  const { property, sentAs = property } = subject.resource.key;
  const at = findKeyParameter(subject)?.schemaPointer;
  const isChosen = subject.putsNew === undefined && isOwnText(made.full[sentAs]);
  return (text) => {
    const plain = text.replaceAll(/\{\$[^{}]*\}/g, 'u'.repeat(UNIQUE_LENGTH));
    if (!isChosen || create === undefined || get === undefined) return undefined;
    const isInPath = at === undefined || contract.validate.value(at, plain).length === 0;
    const isRecord = isAllowed({ ...made.plain, [sentAs]: plain }, create, contract);
    return isInPath && isRecord ? { ...made.full, [sentAs]: text } : undefined;
  };
}

function listOwnKeys(of: CaseRow<'own-keys'>['of'], binding: Binding): Row[] {
  const make = takeKeys(binding);
  return readCases('own-keys').flatMap((row) => {
    const record = row.of === of ? make(row.text) : undefined;
    return record === undefined ? [] : [{ id: row.id, words: row.words, key: row.text, record }];
  });
}

/** Two keys, and two others that differ in the same way, of which only the first is that of a record. */
function listFoldedKeys(binding: Binding): Row[] {
  const make = takeKeys(binding);
  const { property, sentAs } = binding.subject.resource.key;
  const isShown = binding.subject.fields.some(({ name, isShown: is }) => name === property && is);
  return readCases('own-keys').flatMap(({ id, of, words, text, other }) => {
    if (of !== 'folded' || !isShown || sentAs !== undefined) return [];
    const pair = (step: string) => make(`{$steps.${step}.outputs.unique}${other}`);
    const [one, second] = [make(`{$unique}${text}`), pair('first')];
    if (one === undefined || second === undefined) return [];
    const key = `{$steps.again.outputs.unique}${other}`;
    // Letter by letter, where keys in another case count as the same elsewhere.
    return [{ id, words, record: one, other: second, key, shown: { [property]: key } }];
  });
}

/** Keys that differ from that of a parent as those of {@link listFoldedKeys} do. */
function listFoldedParentKeys({ parent }: Binding): Row[] {
  if (parent === undefined) return [];
  const make = takeKeys(parent);
  return readCases('own-keys').flatMap(({ id, of, words, text, other }) => {
    const record = of === 'folded' ? make(`{$unique}${text}`) : undefined;
    const key = `{$steps.parent.outputs.unique}${other}`;
    return record === undefined || make(key) === undefined ? [] : [{ id, words, record, key }];
  });
}

export const KEY_TABLES: Tables = {
  $oddKeys: listEdgeKeys,
  $ownKeys: (binding) => listOwnKeys('written', binding),
  $ownParentKeys: ({ parent }) => (parent === undefined ? [] : listOwnKeys('written', parent)),
  $reservedKeys: (binding) => listOwnKeys('reserved', binding),
  $foldedKeys: listFoldedKeys,
  $foldedParentKeys: listFoldedParentKeys,
};
