// Values that break one rule of a schema, found by trying: of each rule, the first change that breaks it and nothing else.
import type { Contract } from '../../../contract/contract.js';
import { resolveAt } from '../../../contract/document/references.js';

type Value = unknown;

/** The rules that are not of a type, a bound or a list of values, each of which has values of its own. */
const RULES = [
  'patternProperties',
  'propertyNames',
  'additionalProperties',
  'dependentRequired',
  'dependentSchemas',
  'minProperties',
  'maxProperties',
  'contains',
  'const',
  'oneOf',
  'anyOf',
  'not',
  'then',
  'else',
] as const;

export interface RuleBreak {
  rule: string;
  change: (own: Value) => Value;
}

/** `own` is a value that the schema at the pointer allows. */
export function listRuleBreaks(own: Value, schemaPointer: string, contract: Contract): RuleBreak[] {
  const within = resolveAt(contract.document, schemaPointer).pointer;
  const tried = listChanges(own).map((change) => ({
    change,
    broken: contract.validate
      .value(schemaPointer, change(own))
      .map(
        ({ rule, contract: { pointer } }) => rule + (pointer.startsWith(within) ? pointer.slice(within.length) : ''),
      ),
  }));
  return RULES.flatMap((rule) => {
    const found = tried.find(
      ({ broken }) => broken.length > 0 && broken.every((names) => names.split('/').includes(rule)),
    );
    return found === undefined ? [] : [{ rule, change: found.change }];
  });
}

const OTHERS: readonly Value[] = [48_151_623, 'no-such-value', true, {}];
const STRANGERS = ['noSuchField', '~ no fit ~'];

function listChanges(own: Value): ((value: Value) => Value)[] {
  if (Array.isArray(own)) {
    const replaced = OTHERS.map((other) => (value: Value) => (value as Value[]).map(() => other));
    return [() => [], ...replaced, (value) => (value as Value[]).flatMap((item) => [item, item])];
  }
  if (typeof own !== 'object' || own === null) return OTHERS.map((other) => () => other);
  const names = Object.keys(own);
  const set = (name: string, other: Value) => (value: Value) => ({ ...(value as object), [name]: other });
  return [
    ...names.map(
      (name) => (value: Value) => Object.fromEntries(Object.entries(value as object).filter(([each]) => each !== name)),
    ),
    () => ({}),
    ...STRANGERS.map((name) => set(name, 'text')),
    ...names.flatMap((name) => OTHERS.map((other) => set(name, other))),
    (value) => ({
      ...(value as object),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, 'text'])),
    }),
  ];
}
