import type { Operation } from '../../contract/model.js';
import { chooseCombination, presentCredentials, type Presented } from '../../contract/security/present-credentials.js';
import { challenge } from '../../mock/request/authenticate.js';
import type { World } from '../../mock/world/world.js';
import { DEFAULT_API_KEY } from '../options.js';

/** Placeholder for a user's key. */
export const KEY_VARIABLE = '$PETSTORE_API_KEY';

/** The credentials to show for an operation: the documented key, if it is accepted. */
export function present(operation: Operation, world: World): Presented {
  const combination = chooseCombination(operation.security, () => true);
  const shown = presentCredentials(combination, () => DEFAULT_API_KEY);
  const query = shown.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const headers = Object.fromEntries(Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { method, path } = operation;
  const request = { method, path, mountPath: '', query, headers, body: undefined };
  if (challenge(request, operation.security, world) === undefined) return shown;
  // A pair is sent in Base64, in which a variable cannot be inserted.
  return presentCredentials(
    combination.filter(({ kind }) => kind !== 'basic'),
    () => KEY_VARIABLE,
  );
}
