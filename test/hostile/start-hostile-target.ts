import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { listen as listenLocally } from '../support/network/listen.js';
import { pour } from './pour.js';
import { rawKinds, type Attack } from './raw-kinds.js';
import { makeSelfSignedCertificate } from './self-signed-certificate.js';

interface HostileTarget {
  /** The base URL; ends in `/v1`. */
  readonly url: string;
  /** Whether a redirect carried the Authorization header to another origin; only `redirects-elsewhere` can tell. */
  readonly leakedAuthorization: boolean;
  close(): Promise<void>;
}

/** Kinds that need more than one connection handler. */
const starters: Readonly<Record<string, () => Promise<HostileTarget>>> = {
  'closes-at-once': () => listen(createServer((socket) => socket.destroy())),
  'redirect-loop': () => startRedirect((path, url) => new URL(`${path}x`, url).href),
  'redirects-to-itself': () => startRedirect((path, url) => new URL(path, url).href),
  'redirects-elsewhere': startRedirectElsewhere,
  'huge-json': startHugeJson,
  'closed-port': startClosedPort,
  'self-signed-tls': () => listen(createTlsServer(makeSelfSignedCertificate(), sayList), 'https'),
  // The URL says https, the server speaks HTTP.
  'plain-behind-https': () => listen(createHttpServer(sayList), 'https'),
  'tls-of-garbage': () => startRaw((socket) => void socket.end(Buffer.alloc(4096, 0x16)), 'https'),
  'tls-that-hangs': () => startRaw(() => undefined, 'https'),
  'tls-cut': () => startRaw((socket) => socket.resetAndDestroy(), 'https'),
};

/** Every kind of hostile target. */
export const hostileKinds = [...Object.keys(rawKinds), ...Object.keys(starters)];

/** Starts a target that no client should trust, on a free port of the loopback interface. */
export const startHostileTarget = (kind: string): Promise<HostileTarget> =>
  starters[kind]?.() ?? startRaw(rawKinds[kind] as Attack);

/** A server that attacks as soon as the first bytes of a request are there. */
function startRaw(attack: Attack, scheme?: string): Promise<HostileTarget> {
  const server = createServer((socket) => {
    // Whatever the client does to the connection is its good right.
    socket.on('error', () => undefined);
    socket.once('data', () => attack(socket));
    socket.resume();
  });
  return listen(server, scheme);
}

async function listen(server: Server, scheme = 'http'): Promise<HostileTarget> {
  const { port, close } = await listenLocally(server);
  return { url: `${scheme}://127.0.0.1:${port}/v1`, leakedAuthorization: false, close };
}

/** Sends every request on. */
function startRedirect(locate: (path: string, url: string) => string): Promise<HostileTarget> {
  const server = createHttpServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const origin = `http://127.0.0.1:${port}`;
    response.writeHead(307, { location: locate(request.url ?? '/', origin) }).end();
  });
  return listen(server);
}

const sayList: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
};

async function startRedirectElsewhere(): Promise<HostileTarget> {
  let leaked = false;
  const elsewhere = await listen(
    createHttpServer((request, response) => {
      leaked ||= request.headers.authorization !== undefined;
      sayList(request, response);
    }),
  );
  const front = await startRedirect((path) => new URL(path, elsewhere.url).href);
  return {
    url: front.url,
    get leakedAuthorization() {
      return leaked;
    },
    close: async () => void (await Promise.all([front.close(), elsewhere.close()])),
  };
}

/** Valid, and 50 MB. */
function startHugeJson(): Promise<HostileTarget> {
  const pets = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"},'.repeat(1000);
  const rounds = Math.ceil(50_000_000 / pets.length);
  function* makeArray(): Generator<string> {
    yield '[';
    for (let round = 0; round < rounds; round += 1) yield pets;
    yield '{"id":2,"name":"Last","categoryId":1}]';
  }
  const opening = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n';
  return startRaw((socket) => pour(socket, makeArray(), opening));
}

/** A port that was free a moment ago, so nobody listens. */
async function startClosedPort(): Promise<HostileTarget> {
  const target = await listen(createServer());
  await target.close();
  return target;
}
