import type { ServerResponse } from 'node:http';
import type { Contract } from '../../contract/contract.js';
import type { Worlds } from '../../mock/world/worlds.js';
import type { AdminAccess } from '../admin/guard.js';
import { ASSETS_PATH } from '../world-names.js';
import type { Asked } from './mount-path.js';
import type { servers as Servers } from './serve-page.js';
import { wantsHtml } from './wants-html.js';

/** Answers what is for a browser beside the API and says so; what is not, it leaves alone. */
export type OpenPage = (request: Asked, response: ServerResponse, isMounted: boolean) => boolean;

const UNDERSCORE = 0x5f;

/** What is asked for, of all that this serves. */
type Wanted = 'home' | 'redirect' | 'contract' | 'asset';

/**
 * The page that says what this is, the contract to download, and the files of both pages. Loaded when first asked for; any
 * other request pays for a comparison of lengths.
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

/** A bug of ours: who waits is told, and what this is mounted in runs on. */
function fail(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' });
  response.end('The mock failed to answer; this is a bug of the mock.\n');
}

function findWanted(request: Asked, contract: Contract, isMounted: boolean): Wanted | undefined {
  const { method, url = '', baseUrl = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (url.startsWith(ASSETS_PATH)) return 'asset';
  const isBase = url === contract.basePath || url === `${contract.basePath}/`;
  if (isBase && wantsHtml(request) && !hasOperation(contract, url))
    return isRootOf(request, isMounted) ? 'home' : 'redirect';
  // What lies beside the API is the business of an app in which this is mounted without a prefix.
  if (isMounted && baseUrl === '') return undefined;
  if (url === '/') return wantsHtml(request) ? 'home' : undefined;
  return (url === '/openapi.yaml' || url === '/openapi.json') && !hasOperation(contract, url) ? 'contract' : undefined;
}

/** Whether there is no other place for the page. */
function isRootOf({ url, baseUrl = '' }: Asked, isMounted: boolean): boolean {
  return url === '/' || url === '' || (isMounted && baseUrl === '');
}

function hasOperation({ match, basePath }: Contract, path: string): boolean {
  return path.startsWith(basePath) && match('GET', path.slice(basePath.length)).kind !== 'unknown-path';
}
