import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';

/**
 * What a page on another origin may read beside the body. By name, since `*`
 * hides them all from a request with credentials (Fetch standard, section 3.3.3).
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
 * Every method is allowed, also those that the contract does not have: a page
 * that sends one gets to read the 405 instead of an error without a reason.
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
    // A page on the public web that calls an address of this machine asks for leave (Private Network Access).
    if (request.headers[PRIVATE_NETWORK] === 'true') response.setHeader('Access-Control-Allow-Private-Network', 'true');
    response.writeHead(204).end();
  });
}

/** A preflight is an OPTIONS that says which method is to follow (Fetch standard, section 3.3.2). */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}
