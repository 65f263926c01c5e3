import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type AgentOptions, type RequestOptions } from 'node:https';
import { checkServerIdentity, rootCertificates } from 'node:tls';
import type { ConformanceOptions, TlsOptions } from '../../model/options.js';
import { isRepeatable, type WireRequest } from '../../model/exchange.js';

/** How requests reach the target. */
export interface Route {
  /** Starts a request; the caller listens for errors and ends it. */
  start(request: WireRequest, onAnswer: (answer: IncomingMessage) => void): ClientRequest;
  /** The proxy, without credentials; `undefined` if there is none. */
  proxy: string | undefined;
  close(): void;
}

const KEPT = { keepAlive: true, maxSockets: 64 };

/** Four times Node's own limit: cookies and policies may be long. */
const MAX_HEADER_BYTES = 64 * 1024;

type RouteOptions = Pick<ConformanceOptions, 'tls' | 'freshConnections'>;

/** Directly to the target. */
export function openRoute(target: URL, { tls = {}, freshConnections = false }: RouteOptions = {}): Route {
  const isTls = target.protocol === 'https:';
  const security = isTls ? toNode(tls) : {};
  const agent = isTls ? new HttpsAgent({ ...KEPT, ...security }) : new HttpAgent(KEPT);
  const start = isTls ? httpsRequest : httpRequest;
  return {
    start: (request, onAnswer) =>
      start(
        {
          ...describe(writeTarget(request, target), target),
          agent: !freshConnections && isKept(request) ? agent : false,
          ...security,
        },
        onAnswer,
      ),
    proxy: undefined,
    close: () => agent.destroy(),
  };
}

/**
 * Through a proxy (RFC 9110 section 7.6 and 9.3.6): a tunnel to a target with TLS,
 * otherwise requests with the complete URL, which the proxy forwards.
 */
export async function openProxiedRoute(target: URL, proxy: URL, options: RouteOptions = {}): Promise<Route> {
  return target.protocol === 'https:' ? openTunnel(target, proxy, options) : openForwarding(target, proxy, options);
}

async function openTunnel(
  target: URL,
  proxy: URL,
  { tls = {}, freshConnections = false }: RouteOptions,
): Promise<Route> {
  // Loaded only when needed.
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const kept = new HttpsProxyAgent(proxy, KEPT);
  const single = new HttpsProxyAgent(proxy);
  const security = {
    ...toNode(tls),
    // Within a tunnel, the intended host is no longer known if its name is an address.
    checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
      checkServerIdentity(hostOf(target), certificate),
  };
  return {
    start: (request, onAnswer) =>
      httpsRequest(
        { ...describe(request, target), agent: !freshConnections && isKept(request) ? kept : single, ...security },
        onAnswer,
      ),
    proxy: proxy.origin,
    close: () => {
      kept.destroy();
      single.destroy();
    },
  };
}

function openForwarding(target: URL, proxy: URL, { freshConnections = false }: RouteOptions): Route {
  const isTls = proxy.protocol === 'https:';
  const agent = isTls ? new HttpsAgent(KEPT) : new HttpAgent(KEPT);
  const start = isTls ? httpsRequest : httpRequest;
  const credentials = readCredentials(proxy);
  return {
    start: (request, onAnswer) => {
      const headers = {
        Host: target.host,
        ...(credentials === undefined ? {} : { 'Proxy-Authorization': credentials }),
        ...request.headers,
      };
      const path = `${target.origin}${request.target}`;
      return start(
        {
          ...describe({ ...request, headers, target: path }, proxy),
          agent: !freshConnections && isKept(request) ? agent : false,
        },
        onAnswer,
      );
    },
    proxy: proxy.origin,
    close: () => agent.destroy(),
  };
}

/** In absolute form, with its origin; a proxy wants that anyway, or sees none of it. */
function writeTarget(request: WireRequest, { origin }: URL): WireRequest {
  return request.form === 'absolute' ? { ...request, target: `${origin}${request.target}` } : request;
}

function describe({ method, target, headers }: WireRequest, to: URL): RequestOptions {
  return {
    hostname: hostOf(to),
    port: to.port,
    method,
    path: target,
    headers: headers as OutgoingHttpHeaders,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
}

/**
 * The server may close an idle connection just as it is reused; a request that must not be sent twice gets a new one.
 * After `Connection: close`, nothing more may be sent on a connection, whatever the server says (RFC 9112 section 9.6).
 */
function isKept(request: WireRequest): boolean {
  return (
    request.alone !== true &&
    request.form !== 'headInPieces' &&
    isRepeatable(request) &&
    String(request.headers['Connection']).toLowerCase() !== 'close'
  );
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** RFC 7617. */
function readCredentials({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

function toNode({ ca, clientCertificate, insecure }: TlsOptions): AgentOptions {
  return {
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(clientCertificate === undefined
      ? {}
      : {
          cert: clientCertificate.cert,
          key: clientCertificate.key,
          ...(clientCertificate.passphrase === undefined ? {} : { passphrase: clientCertificate.passphrase }),
        }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}
