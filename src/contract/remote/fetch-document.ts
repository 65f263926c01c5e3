import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { hidePassword, LONGEST, PATIENCE_MS, type Fetched, type FetchOptions } from './fetched.js';

const MOST_REDIRECTS = 5;

const NOT_PUBLIC =
  'is not fetched: its host is not a public one, but of this machine, of a private network, or reserved; save the document beside this file and refer to the copy';

/**
 * Fetches a document by http or https. A document may name any address, so only public ones are contacted: each hop's
 * address is checked when the connection is made, so that a name cannot resolve to another address in between.
 */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<Fetched> {
  const { timeout = PATIENCE_MS } = options;
  const signal = AbortSignal.timeout(timeout);
  let at = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const problem = findProblem(at, url);
    if (problem !== undefined) return { why: problem };
    const answer = await ask(new URL(at), signal, options).catch((error: unknown) => explain(error, timeout));
    if (!('location' in answer)) return answer;
    at = URL.canParse(answer.location, at) ? new URL(answer.location, at).href : answer.location;
  }
  return { why: `cannot be fetched: it is redirected more than ${MOST_REDIRECTS} times` };
}

/** Why a URL is not fetched, be it the first or the target of a redirect. */
function findProblem(at: string, first: string): string | undefined {
  const [url, begin] = [at, first].map((each) => (URL.canParse(each) ? new URL(each) : undefined));
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const from = at === first ? 'is not fetched:' : `is not fetched: it is redirected to ${hidePassword(at)}, and`;
  if (url === undefined || !isWeb) return `${from} only http and https URLs are`;
  if (url.username !== '' || url.password !== '') return `${from} a URL with a user or a password is not asked`;
  if (begin?.protocol === 'https:' && url.protocol === 'http:') return `${from} what begins with https goes on with it`;
  return undefined;
}

function ask(url: URL, signal: AbortSignal, options: FetchOptions): Promise<Fetched | { location: string }> {
  const { allowedAddresses = [], lookup } = options;
  const filter = { allowIPAddressList: [...allowedAddresses], keepAlive: false };
  const isSecure = url.protocol === 'https:';
  const agent = isSecure ? new RequestFilteringHttpsAgent(filter) : new RequestFilteringHttpAgent(filter);
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'petstore-mock' };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(
      url,
      { agent, headers, signal, ...(lookup === undefined ? {} : { lookup }) },
      (response) => {
        read(response, options).then(resolve, reject);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

async function read(response: IncomingMessage, options: FetchOptions): Promise<Fetched | { location: string }> {
  const { statusCode = 0, headers } = response;
  const refused = refuse(statusCode, headers['content-encoding']);
  if (refused !== undefined) {
    response.destroy();
    const isMoved = statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
    return isMoved ? { location: headers.location ?? '' } : { why: `cannot be fetched: ${refused}` };
  }
  const { most = LONGEST } = options;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop ends the response.
    if (length > most) return { why: `cannot be fetched: it is longer than ${most} bytes` };
    chunks.push(chunk);
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { why: 'cannot be read: it is not UTF-8' };
  }
}

function refuse(status: number, encoding = 'identity'): string | undefined {
  if (status !== 200) return `the answer is ${status}`;
  return encoding.toLowerCase() === 'identity' ? undefined : `the answer is encoded (${encoding}), which is not read`;
}

function explain(error: unknown, timeout: number): Fetched {
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError')
    return { why: `cannot be fetched: it takes longer than ${timeout / 1000} seconds` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { why: 'cannot be fetched: its host is not found' };
  // The refusal of an address has no code; all errors of Node itself have one.
  return { why: code === undefined ? NOT_PUBLIC : `cannot be fetched: ${code}` };
}
