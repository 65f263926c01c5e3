import type { ListRule, Rule } from '../../options/rule.js';
import { defaultOf, type GivenValue, type OptionDeclaration, type Options, type Source } from './define-options.js';

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type ValueOf<Option> = Option extends { rule: ListRule<infer Item> }
  ? Item[]
  : Option extends { rule: Rule<infer Value> }
    ? Value
    : never;

/** The resulting values by the options' names in camel case. Only options without a default may be missing, and no switch. */
export type Values<Declared extends Options> = {
  [Name in keyof Declared & string as CamelCase<Name>]:
    | ValueOf<Declared[Name]>
    | (Declared[Name] extends { default: unknown } | { rule: Rule<boolean> } ? never : undefined);
};

/** The options of a program: the value of each, and its source. */
export interface ResolvedOptions<Declared extends Options> {
  values: Values<Declared>;
  given: (name: keyof Declared & string) => GivenValue | undefined;
}

/** Merges the sources, in order of precedence. */
export function resolveOptions<Declared extends Options>(
  options: Declared,
  sources: readonly Source[],
): ResolvedOptions<Declared> {
  const given = (name: string): GivenValue | undefined => sources.find((source) => source.has(name))?.get(name);
  const entries = Object.entries(options).map(([name, option]) => [
    toCamelCase(name),
    resolveValue(option, given(name)),
  ]);
  return { values: Object.fromEntries(entries) as Values<Declared>, given };
}

function resolveValue(option: OptionDeclaration, given: GivenValue | undefined): unknown {
  const { rule } = option;
  const value = given === undefined ? defaultOf(option) : given.value;
  return rule.isList === true && value !== undefined ? [value].flat() : value;
}

function toCamelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
