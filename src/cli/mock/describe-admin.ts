import { isLoopbackHost } from '../../server/admin/guard.js';
import { ADMIN_PATH } from '../../server/world-names.js';
import { ADMIN_TOKEN_VARIABLE } from '../options/environment.js';
import type { Settings } from './settings.js';

/** Where the admin API is, or why it is not. */
export function describeAdmin({ admin, adminToken, host }: Settings, origin: string): string {
  if (!admin) return 'off';
  const url = `${origin}${ADMIN_PATH}`;
  if (adminToken !== undefined) return `${url}  with the token of ${ADMIN_TOKEN_VARIABLE}`;
  return isLoopbackHost(host)
    ? url
    : `off, since other machines reach this one; ${ADMIN_TOKEN_VARIABLE} gives it a token`;
}
