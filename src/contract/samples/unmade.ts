import type { Contract } from '../contract.js';
import { escapePointer, type SourceDocument } from '../document/document.js';
import { asList, asObject } from '../document/plain.js';
import { pointerOf, referenceOf } from '../document/references.js';
import type { Content, Operation, ResponseRule } from '../model.js';
import { listExternalExamples, listPlacedExamples, type PlacedExample } from '../schemas/examples.js';
import { tellViolation } from '../schemas/violation.js';
import { isJsonMediaType } from '../media-types.js';
import { formatPlace } from '../../errors.js';
import { makeValue } from './repair.js';

/**
 * What a mock cannot send of an operation's first success: why it can make no response, and which examples break their
 * schema. Each is a sentence without a full stop.
 */
export function findUnmade({ document, validate }: Contract, operation: Operation): string[] {
  const [rule, content] = findSuccess(operation);
  const pointer = content?.schemaPointer;
  if (rule === undefined || content === undefined || pointer === undefined) return [];
  const { mediaType } = content;
  const isJson = isJsonMediaType(mediaType);
  const accepts = (value: unknown): boolean => validate.value(pointer, value).length === 0;
  // What a text of another media type stands for is not known.
  const isSent = ({ value, text }: PlacedExample): boolean =>
    (!isJson && (text !== undefined || typeof value === 'string')) || accepts(value);
  const shown = listPlacedExamples(document, rule, { mediaType, name: undefined });
  const broken = new Set(shown.filter((each) => !isSent(each)).map((each) => each.pointer));
  const isShown = shown.some(isSent);
  const options = { judge: validate.value, onBroken: (at: string) => broken.add(at), without: 'writeOnly' as const };
  const [fault] = isShown ? [] : makeValue(document, pointer, options).faults;
  const examples = [...broken].map(
    (at) => `the example at ${formatPlace(document.placeOf(at))} breaks its schema and is not sent`,
  );
  const reasons =
    fault === undefined
      ? []
      : [
          `no response that the contract allows could be made: ${tellViolation(fault)} (${formatPlace(fault.contract)})`,
        ];
  const external = listExternalExamples(document, rule, mediaType).map(
    (at) =>
      `the example at ${formatPlace(document.placeOf(at))} is in a file of its own (externalValue), which is not read`,
  );
  return [...reasons, ...examples, ...external].map((each) => `${operation.id}: ${each}`);
}

function findSuccess({ responses }: Operation): [ResponseRule | undefined, Content | undefined] {
  const rule = responses
    .filter(({ status }) => status.startsWith('2'))
    .toSorted((a, b) => (a.status < b.status ? -1 : 1))[0];
  const content = rule?.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? rule?.content[0];
  return [rule, content];
}

/** What only trying tells whether a value keeps it. */
const HARD = [
  'not',
  'if',
  'contains',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const MOST_LOOKED_AT = 3000;

/**
 * The operations of which it is unlikely, as far as their schemas tell without being compiled, that a response can be
 * made without trying: at most so many, of a part of a large document.
 */
export function listDoubtful({ document, operations }: Contract, most: number): Operation[] {
  const visited = new Map<string, boolean>();
  const doubtful: Operation[] = [];
  for (const operation of operations) {
    if (doubtful.length === most || visited.size > MOST_LOOKED_AT) break;
    const pointer = findSuccess(operation)[1]?.schemaPointer;
    if (pointer !== undefined && isHard(document, pointer, { visited, above: [] })) doubtful.push(operation);
  }
  return doubtful;
}

/** `visited` has what was found of each schema so far; `above` are those that what is looked at is required in. */
function isHard(
  document: SourceDocument,
  pointer: string,
  { visited, above }: { visited: Map<string, boolean>; above: readonly string[] },
): boolean {
  if (above.includes(pointer)) return true;
  const known = visited.get(pointer);
  if (known !== undefined) return known;
  visited.set(pointer, false);
  const schema = asObject(document.at(pointer));
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const isReversed = [
    [minimum, maximum],
    [minLength, maxLength],
    [minItems, maxItems],
  ].some(([least, most]) => Number(least) > Number(most));
  const parts = asList(schema['allOf']);
  const isClosed = parts.length > 1 && [schema, ...parts].some((each) => isClosing(document, each));
  const target = pointerOf(referenceOf(schema) ?? '');
  const same = [
    ...(target === undefined ? [] : [target]),
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].flatMap((key) =>
      asList(schema[key]).map((_, index) => `${pointer}/${key}/${index}`),
    ),
  ];
  const required = asList(schema['required']).map((name) => `${pointer}/properties/${escapePointer(String(name))}`);
  const items = Number(minItems ?? 0) > 0 ? [`${pointer}/items`] : [];
  const isFound =
    isReversed ||
    isClosed ||
    HARD.some((key) => schema[key] !== undefined) ||
    // What need not be there is left out where it cannot be made.
    [...same, ...required, ...items].some((at) => isHard(document, at, { visited, above: [pointer, ...above] }));
  visited.set(pointer, isFound);
  return isFound;
}

function isClosing(document: SourceDocument, schema: unknown): boolean {
  const target = pointerOf(referenceOf(schema) ?? '');
  return asObject(target === undefined ? schema : document.at(target))['additionalProperties'] === false;
}
