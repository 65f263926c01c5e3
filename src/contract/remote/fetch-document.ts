import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import type { Fetched, FetchOptions, OwnHost } from './read-remote.js';
import { hidePassword, isLoopback, LONGEST, PATIENCE_MS, withoutUser } from './read-remote.js';

const MOST_REDIRECTS = 5;

const UNTRUSTED =
  'its certificate is not trusted; set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority';

const NOT_PUBLIC =
  'is not fetched: its host is not a public one, but of this machine, of a private network, or reserved; save the document beside this file and refer to the copy';

const PRIVATE =
  'is not fetched: its host is of a private network; if it is yours, pass --allow-private-hosts, or save the document and give the file';

/** Only public addresses are contacted, checked at each connection; the host that a user named may be this machine. */
export async function fetchDocument(url: string, options: FetchOptions = {}): Promise<Fetched> {
  const { timeout = PATIENCE_MS } = options;
  const signal = AbortSignal.timeout(timeout);
  let at = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const problem = findProblem(at, url, options.own);
    if (problem !== undefined) return { why: problem };
    const answer = await ask(new URL(at), signal, options).catch((error: unknown) =>
      explain(error, { at, first: url, ...options }),
    );
    if ('text' in answer && at !== url) return { ...answer, at: withoutUser(at) };
    if (!('location' in answer)) return answer;
    at = URL.canParse(answer.location, at) ? new URL(answer.location, at).href : answer.location;
  }
  return { why: `cannot be fetched: it is redirected more than ${MOST_REDIRECTS} times` };
}

function findProblem(at: string, first: string, own: OwnHost | undefined): string | undefined {
  const [url, begin] = [at, first].map((each) => (URL.canParse(each) ? new URL(each) : undefined));
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const from = at === first ? 'is not fetched:' : `is not fetched: it is redirected to ${hidePassword(at)}, and`;
  if (url === undefined || !isWeb) return `${from} only http and https URLs are`;
  const hasUser = url.username !== '' || url.password !== '';
  if (hasUser && at !== own?.url) return `${from} a URL with a user or a password is not fetched`;
  if (begin?.protocol === 'https:' && url.protocol === 'http:') return `${from} https must not redirect to http`;
  return undefined;
}

function isOfOwnHost(at: string, own: OwnHost | undefined): boolean {
  if (own === undefined || !URL.canParse(at) || !URL.canParse(own.url)) return false;
  const [host, named] = [new URL(at).hostname, new URL(own.url).hostname];
  return host === named || (isLoopback(host) && isLoopback(named));
}

function readUser(url: URL, own: OwnHost | undefined): string | undefined {
  const named = own !== undefined && URL.canParse(own.url) ? new URL(own.url) : undefined;
  if (named === undefined || named.origin !== url.origin || named.username + named.password === '') return undefined;
  // What is no percent-encoding stands for itself.
  const decode = (text: string): string =>
    Buffer.from(
      text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
      'latin1',
    ).toString();
  return [named.username, named.password].map(decode).join(':');
}

const OF_THIS_MACHINE = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::'];

async function ask(url: URL, signal: AbortSignal, options: FetchOptions): Promise<Fetched | { location: string }> {
  const { allowedAddresses = [], lookup, own, known, findProxy } = options;
  const isOwn = isOfOwnHost(url.href, own);
  const allowsAll = isOwn && own?.allowPrivate === true;
  const filter = {
    allowIPAddressList: [...allowedAddresses, ...(isOwn ? OF_THIS_MACHINE : [])],
    allowPrivateIPAddress: allowsAll,
    keepAlive: false,
  };
  const isSecure = url.protocol === 'https:';
  const proxy = isOwn && !isLoopback(url.hostname) ? findProxy?.(url.href) : undefined;
  const auth = readUser(url, own);
  const agent =
    proxy === undefined
      ? new (isSecure ? RequestFilteringHttpsAgent : RequestFilteringHttpAgent)(filter)
      : new (await import('https-proxy-agent')).HttpsProxyAgent(proxy, { keepAlive: false });
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'petstore-mock',
    ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(
      withoutUser(url.href),
      { agent, headers, signal, ...(auth === undefined ? {} : { auth }), ...(lookup === undefined ? {} : { lookup }) },
      (response) => read(response, options).then(resolve, reject),
    );
    request.on('error', reject);
    request.end();
  });
}

async function read(response: IncomingMessage, options: FetchOptions): Promise<Fetched | { location: string }> {
  const { statusCode = 0, headers } = response;
  if (statusCode === 304 && options.known !== undefined) {
    response.resume();
    return options.known;
  }
  const rejected = explainRejection(statusCode, headers['content-encoding'], options);
  if (rejected !== undefined) {
    response.destroy();
    const isMoved = statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
    return isMoved ? { location: headers.location ?? '' } : { why: `cannot be fetched: ${rejected}` };
  }
  const { most = LONGEST } = options;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > most) return { why: `cannot be fetched: it is longer than ${most} bytes` };
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return { text, ...(headers.etag === undefined ? {} : { etag: headers.etag }) };
  } catch {
    return { why: 'cannot be read: it is not UTF-8' };
  }
}

function explainRejection(status: number, encoding = 'identity', { isEntry }: FetchOptions = {}): string | undefined {
  if (status !== 200) return `the response is ${status}${isEntry === true ? (ADVICE[status] ?? '') : ''}`;
  return encoding.toLowerCase() === 'identity'
    ? undefined
    : `the response is encoded (${encoding}), which is not supported`;
}

const LOCKED =
  '; if it needs credentials, put them into the URL (https://user:password@host/...), or save the document and give the file';
const ELSEWHERE =
  '; is it the address of the document itself? It often is at /openapi.json, /openapi.yaml, /swagger.json or /v3/api-docs';

const ADVICE: Readonly<Record<number, string>> = { 401: LOCKED, 403: LOCKED, 404: ELSEWHERE, 410: ELSEWHERE };

const EXPLAINED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

function explain(
  error: unknown,
  { timeout = PATIENCE_MS, at, first, own }: FetchOptions & { at: string; first: string },
): Fetched {
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError')
    return { why: `cannot be fetched: it takes longer than ${timeout / 1000} seconds` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { why: 'cannot be fetched: its host is not found' };
  if (code !== undefined) return { why: `cannot be fetched: ${EXPLAINED[code] ?? code}` };
  // The refusal of an address has no code; all errors of Node itself have one.
  if (own === undefined) return { why: NOT_PUBLIC };
  if (isOfOwnHost(at, own)) return { why: PRIVATE };
  const to =
    at === first
      ? 'its host is not a public one'
      : `it is redirected to ${hidePassword(at)}, whose host is not a public one`;
  return { why: `is not fetched: ${to}; if that is intended, give that URL itself` };
}
