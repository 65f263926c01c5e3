import { isLoopbackHost } from '../../../server/admin/guard.js';
import { ADMIN_PATH } from '../../../server/world-names.js';
import { variableOf } from '../../options/define-options.js';
import { PETSTORE_MOCK } from '../program.js';
import type { Settings } from '../settings.js';

const TOKEN_VARIABLE = variableOf(PETSTORE_MOCK, 'admin-token');

/** Where the admin API is, or why there is none. */
export function describeAdmin({ admin, adminToken, host }: Settings, origin: string): string {
  if (!admin) return 'off';
  const url = `${origin}${ADMIN_PATH}`;
  if (adminToken !== undefined) return `${url}  with the token of ${TOKEN_VARIABLE}`;
  return isLoopbackHost(host)
    ? url
    : `off, since other machines can reach this one; set ${TOKEN_VARIABLE} to turn it on`;
}
