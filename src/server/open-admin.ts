import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Worlds } from '../mock/world/worlds.js';
import type { AdminAccess } from './admin/guard.js';
import { ADMIN_PATH } from './world-names.js';

const UNDERSCORE = 0x5f;

/** Answers what is for the admin API and says so; what is not, it leaves alone. Loaded when it is first asked. */
export function openAdmin(
  worlds: Worlds,
  access: AdminAccess,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let loading: Promise<(request: IncomingMessage, response: ServerResponse) => void> | undefined;
  return (request, response) => {
    if (!isAdmin(request.url ?? '')) return false;
    loading ??= import('./admin/create-admin.js').then(({ createAdmin }) => createAdmin(worlds, access));
    void loading.then((serve) => serve(request, response));
    return true;
  };
}

/** One comparison settles it for every other request. */
function isAdmin(url: string): boolean {
  if (url.charCodeAt(1) !== UNDERSCORE || !url.startsWith(ADMIN_PATH)) return false;
  const next = url[ADMIN_PATH.length];
  return next === undefined || next === '/' || next === '?';
}
