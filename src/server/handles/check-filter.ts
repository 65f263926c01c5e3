import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import type { RequestFilter } from '../petstore-world.js';

const NAMES: Readonly<Record<keyof RequestFilter, true>> = {
  operationId: true,
  method: true,
  path: true,
  status: true,
  verdict: true,
  deprecated: true,
  fault: true,
};

/** Throws a {@link PetstoreMockError} (`bad-option`) for a name that no request could have, so that a typo cannot make a test pass. */
export function checkFilter(filter: RequestFilter): RequestFilter {
  const stranger = Object.keys(filter).find((name) => !Object.hasOwn(NAMES, name));
  if (stranger === undefined) return filter;
  const known = Object.keys(NAMES);
  throw new PetstoreMockError(
    'bad-option',
    `requests have no ${stranger}${suggest(stranger, known)} You can filter them by ${known.join(', ')}.`,
  );
}
