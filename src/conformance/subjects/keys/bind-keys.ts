import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import type { Parameter } from '../../../contract/model.js';
import { plainName } from '../../../contract/resources/words.js';
import type { GuessedKey } from '../../model/records.js';
import { findKey, Inapplicable, type Binding, type BoundStep } from '../binding.js';
import type { RoleStep } from '../role-scenario.js';

/** Keys of a form that a record could have, but so long or so random that none has them. */
const UNKNOWN = {
  integer: [1_999_999_973],
  uuid: ['3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1'],
  text: ['no-such-record-cf', '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1', 'c0ffee0ddba1c0ffee0ddba1', '1999999973'],
} as const;

/** A reference; for `$unknownKey`, a key that no record has. */
export function bindKey(key: string, { subject, contract }: Binding): unknown {
  if (key !== '$unknownKey') return key;
  const { kind, schemaPointer, parameter } = subject.resource.key;
  const inPath = subject.roles.get?.operation.parameters.find((each) => each.in === 'path' && each.name === parameter);
  const isKey = (made: unknown): boolean =>
    contract.validate.value(schemaPointer, made).length === 0 &&
    (inPath?.schemaPointer === undefined ||
      contract.validate.value(inPath.schemaPointer, readAs(inPath, made)).length === 0);
  const prefix = kind === 'text' ? readPrefix(schemaPointer, contract) : '';
  const ofLengths = kind === 'text' ? listOfLengths() : [];
  const texts = [...OF_LETTERS, ...ofLengths].map((text) => `${prefix}${text}`);
  const said = [inPath?.pointer, inPath?.schemaPointer, schemaPointer].map((at) => describe(at, contract));
  const named = kind === 'text' && said.some((text) => SAYS_UUID.test(text)) ? UNKNOWN.uuid : [];
  const found = [...named, ...UNKNOWN[kind], ...texts].find((made) => isKey(made));
  if (found === undefined) throw new Inapplicable('a key of no record');
  return found;
}

/** `The UUID of the mapping`, or one as the example: what is none, a service may reject as malformed. */
const SAYS_UUID = /\b[ug]uid\b|^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/im;

function describe(pointer: string | undefined, { document }: Contract): string {
  const { description, example } = asObject(pointer === undefined ? undefined : resolveAt(document, pointer).value);
  return [description, example].map(String).join('\n');
}

/** After a prefix that every key has: `cus_`. */
const OF_LETTERS = ['nosuchrecordcf', 'c0ffee0ddba1c0ffee0ddba1', 'NOSUCHRECORDCF'];

/** The keys by which a step asks for records that the run has created, where no answer and no name says for certain that they are keys. */
export function listGuessed({ key, expect }: RoleStep, { binding, newKey }: BoundStep): { guessed?: GuessedKey[] } {
  const isInPath = newKey === undefined && key !== undefined && key !== '$unknownKey';
  const isInList = expect?.records?.['has'] !== undefined;
  const isCompared = expect?.records?.['distinct'] !== undefined;
  const above = Array.from(listAbove(binding));
  const guessed = [
    // Several records may be alike in what is no key.
    ...(isCompared && isGuessed(binding) ? [binding] : []),
    ...(isInPath && isGuessed(binding) ? [binding] : []),
    // In a list, a key that an answer has shown is compared with what stands under the same name.
    ...(isInList && isOfRequest(binding) ? [binding] : []),
    ...above.filter(isGuessed),
  ];
  if (guessed.length === 0) return {};
  return {
    guessed: guessed.map(({ subject: { name, resource } }) => ({ of: name, property: resource.key.property })),
  };
}

function* listAbove({ parent }: Binding): Generator<Binding> {
  for (let each = parent; each !== undefined; each = each.parent) yield each;
}

/** `{tokenKey}` may not be the `id` that an answer shows; `{petId}` and `{pet}` are. */
function isGuessed(binding: Binding): boolean {
  const { resource, roles, isFound } = binding.subject;
  const { key, singular } = resource;
  const [parameter = '', property = '', stem = ''] = [key.parameter, key.property, singular].map(plainName);
  const isNamed = parameter.endsWith(property) || (parameter === stem && property.endsWith('id'));
  const isTried = roles.create !== undefined || isFound === true;
  return (!isNamed && isTried) || isOfRequest(binding);
}

/** Whether a key is what the run has sent, and no answer shows it: a service may write it in its own way. */
function isOfRequest(binding: Binding): boolean {
  const { roles, putsNew } = binding.subject;
  if (roles.create === undefined || putsNew !== undefined) return false;
  try {
    return findKey(binding, roles.create).startsWith('$request.');
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

/** Of as many letters as a pattern wants, but not so few that a record may have them by chance. */
function listOfLengths(): string[] {
  const lengths = Array.from({ length: LONGEST - SHORTEST + 1 }, (_, index) => SHORTEST + index);
  return lengths.flatMap((length) => OF_ALPHABETS.map((text) => text.repeat(LONGEST).slice(0, length)));
}

const SHORTEST = 8;
const LONGEST = 40;
const OF_ALPHABETS = ['c0ffee0ddba1', 'C0FFEE0DDBA1', '4815162342', 'nosuchrecord', 'NOSUCHRECORD'];

function readPrefix(schemaPointer: string, { document }: Contract): string {
  const { pattern } = asObject(resolveAt(document, schemaPointer).value);
  return /^\^([A-Za-z]+[_-])/.exec(String(pattern))?.[1] ?? '';
}

/** A path consists of text, whatever its schema says. */
function readAs({ shape }: Parameter, made: unknown): unknown {
  const isNumber = shape.types.includes('integer') || shape.types.includes('number');
  return isNumber && typeof made === 'string' && /^\d+$/.test(made) ? Number(made) : made;
}
