import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';

/**
 * The header fields that a page of another origin may read. By name, since `*`
 * has no effect for a request with credentials (Fetch standard, section 3.3.3).
 */
const EXPOSED_HEADERS = [
  'Location',
  'Sunset',
  'Link',
  'WWW-Authenticate',
  'Retry-After',
  'Preference-Applied',
  'Allow',
];

/** How long a browser may remember a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

const PRIVATE_NETWORK = 'access-control-request-private-network';

/**
 * Every method is allowed, even those that the contract does not have: a page
 * that sends one can then read the 405 instead of an unexplained error.
 */
const setHeaders = cors({
  origin: true,
  credentials: true,
  exposedHeaders: EXPOSED_HEADERS,
  maxAge: PREFLIGHT_SECONDS,
  preflightContinue: true,
});

/** Lets pages of any origin use the mock, and answers their preflights, which carry no key. */
export function allowOrigins(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  setHeaders(request, response, () => {
    if (!isPreflight(request)) return next();
    // A page on the public web needs permission to call this machine (Private Network Access).
    if (request.headers[PRIVATE_NETWORK] === 'true') response.setHeader('Access-Control-Allow-Private-Network', 'true');
    response.writeHead(204).end();
  });
}

/** A preflight is an OPTIONS request that announces a method (Fetch standard, section 3.3.2). */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
