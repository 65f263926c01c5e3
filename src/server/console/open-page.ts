import type { MountedRequest } from './mount-path.js';
import type { ServerResponse, IncomingMessage } from 'node:http';
import type { Contract } from '../../contract/contract.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { AdminAccess } from '../admin/guard.js';
import { ASSETS_PATH } from '../world-names.js';
import type { servers as Servers } from './serve-page.js';

/** Answers a browser's requests outside the API and returns whether it did. */
type OpenPage = (request: MountedRequest, response: ServerResponse, isMounted: boolean) => boolean;

const UNDERSCORE = 0x5f;

/** The kinds of requests that this serves. */
type Wanted = 'home' | 'examples' | 'redirect' | 'contract' | 'asset';

/**
 * The page that explains the mock, the contract to download, and the files of both pages. The first request loads them; any
 * other request costs a comparison of lengths.
 */
export function openPage(worlds: Worlds, admin: AdminAccess | undefined): OpenPage {
  const { contract } = worlds.default;
  const longest = Math.max(`${contract.basePath}/`.length, '/openapi.yaml'.length);
  let loading: Promise<{ servers: typeof Servers }> | undefined;
  return (request, response, isMounted) => {
    const { url = '' } = request;
    if (url.length > longest && url.charCodeAt(1) !== UNDERSCORE) return false;
    const wanted = findWanted(request, contract, isMounted);
    if (wanted === undefined) return false;
    loading ??= import('./serve-page.js');
    void loading
      .then(({ servers }) => servers[wanted](request, response, { worlds, admin }))
      .catch(() => fail(response));
    return true;
  };
}

/** For a bug of ours, the client gets an answer, and the surrounding app keeps running. */
function fail(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' });
  response.end('The mock failed to respond; this is a bug of the mock.\n');
}

function findWanted(request: MountedRequest, contract: Contract, isMounted: boolean): Wanted | undefined {
  const { method, url = '', baseUrl = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (url.startsWith(`${ASSETS_PATH}examples?`)) return 'examples';
  if (url.startsWith(ASSETS_PATH)) return 'asset';
  const isBase = url === contract.basePath || url === `${contract.basePath}/`;
  if (isBase && wantsHtml(request) && !hasOperation(contract, url))
    return isRootOf(request, isMounted) ? 'home' : 'redirect';
  // An app that mounts this without a prefix serves the paths outside the API itself.
  if (isMounted && baseUrl === '') return undefined;
  if (url === '/') return wantsHtml(request) ? 'home' : undefined;
  return (url === '/openapi.yaml' || url === '/openapi.json') && !hasOperation(contract, url) ? 'contract' : undefined;
}

/** Whether the page has no other place. */
function isRootOf({ url, baseUrl = '' }: MountedRequest, isMounted: boolean): boolean {
  return url === '/' || url === '' || (isMounted && baseUrl === '');
}

function hasOperation({ match, basePath }: Contract, path: string): boolean {
  return path.startsWith(basePath) && match('GET', path.slice(basePath.length)).kind !== 'unknown-path';
}

/** Whether a browser is to show the answer: it names HTML, where other clients take anything. */
export function wantsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true;
}
