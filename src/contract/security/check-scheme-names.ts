import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import type { SecurityScheme } from '../model.js';

/** Throws a {@link PetstoreMockError} for credentials of a security scheme that the contract does not have. */
export function checkSchemeNames(given: object, schemes: readonly SecurityScheme[]): void {
  const names = schemes.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const known = names.length === 0 ? 'none' : names.join(', ');
  throw new PetstoreMockError(
    'bad-option',
    `credentials are given for ${unknown}, but the contract has no such security scheme; it has ${known}${suggest(unknown, names)}`,
  );
}
