import { PetstoreMockError } from '../errors.js';
import { suggest } from '../suggest.js';
import { findProblem, type Rule } from './rule.js';

/** Throws a {@link PetstoreMockError} (`bad-option`) for an option that there is not, or a value that it cannot have. */
export function checkOptions<Options extends object>(
  options: Options,
  rules: Readonly<Record<keyof Options & string, Rule>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) {
      throw new PetstoreMockError('bad-option', `there is no option ${name}${suggest(name, Object.keys(rules))}`);
    }
    const problem = value === undefined ? undefined : findProblem(rules[name as keyof typeof rules], value);
    if (problem !== undefined) throw new PetstoreMockError('bad-option', `the option ${name} ${problem}`);
  }
}
