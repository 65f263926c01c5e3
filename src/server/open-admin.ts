import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Worlds } from '../mock/world/worlds.js';
import type { AdminAccess } from './admin/guard.js';
import { wantsHtml } from './console/open-page.js';
import type { FileNews } from './file-news.js';
import { ADMIN_PATH, TOOLS_PATH } from './world-names.js';

const UNDERSCORE = 0x5f;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Loads what serves tools for coding agents. Handed in, since that knows more rooms than a server does. */
export type OpenTools = (worlds: Worlds, access: AdminAccess) => Promise<Serve>;

/** Answers requests for the admin API or its page and returns whether it did. The first such request loads it. */
export function openAdmin(
  worlds: Worlds,
  access: AdminAccess,
  { news, openTools }: { news?: FileNews | undefined; openTools?: OpenTools | undefined } = {},
): (request: IncomingMessage, response: ServerResponse) => boolean {
  let admin: Promise<Serve> | undefined;
  let console: Promise<Serve> | undefined;
  let tools: Promise<Serve> | undefined;
  return (request, response) => {
    if (!isAdmin(request.url ?? '')) return false;
    if (openTools !== undefined && request.url?.split('?')[0] === TOOLS_PATH) {
      tools ??= openTools(worlds, access);
      void tools.then((serve) => serve(request, response));
      return true;
    }
    const serving = isForConsole(request)
      ? (console ??= import('./console/serve-console.js').then(({ createConsole }) =>
          createConsole(worlds, access, news),
        ))
      : (admin ??= import('./admin/create-admin.js').then(({ createAdmin }) => createAdmin(worlds, access)));
    void serving.then((serve) => serve(request, response));
    return true;
  };
}

/** All other requests cost one comparison. */
function isAdmin(url: string): boolean {
  if (url.charCodeAt(1) !== UNDERSCORE || !url.startsWith(ADMIN_PATH)) return false;
  const next = url[ADMIN_PATH.length];
  return next === undefined || next === '/' || next === '?';
}

/** A browser gets the page; the admin API itself has nothing at its root. */
function isForConsole(request: IncomingMessage): boolean {
  const { method, url = '' } = request;
  const below = url.slice(ADMIN_PATH.length);
  if (below.startsWith('/console/')) return true;
  return (method === 'GET' || method === 'HEAD') && /^\/?(?:\?|$)/.test(below) && wantsHtml(request);
}
