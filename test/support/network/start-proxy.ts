import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from './listen.js';

/** An HTTP proxy that notes what goes through it. */
export interface Proxy {
  port: number;
  /** `CONNECT localhost:443`, `GET http://127.0.0.1:80/v1/pets`. */
  log: string[];
  /** What it was sent as Proxy-Authorization. */
  credentials: (string | undefined)[];
  close(): Promise<unknown>;
}

/** Starts a proxy; one with a `password` asks for it, one with an `answer` refuses every tunnel with it. */
export async function startProxy(options: { password?: string; answer?: number } = {}): Promise<Proxy> {
  const log: string[] = [];
  const credentials: (string | undefined)[] = [];
  const isRefused = ({ method, url, headers }: IncomingMessage): boolean => {
    const sent = headers['proxy-authorization'];
    log.push(`${method} ${url}`);
    credentials.push(sent);
    const wanted = Buffer.from(`ann:${options.password}`).toString('base64');
    return options.password !== undefined && sent !== `Basic ${wanted}`;
  };
  const server = createServer((request, response) => {
    if (isRefused(request)) response.writeHead(407).end('who are you?');
    else forward(request, response);
  });
  server.on('connect', (request, client: Socket) => {
    const status = isRefused(request) ? 407 : options.answer;
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 2\r\n\r\n[]`);
    const [host = '', port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream])
      socket.on('error', () => [client, upstream].forEach((each) => each.destroy()));
  });
  return { log, credentials, ...(await listen(server)) };
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { hostname, port } = new URL(request.url ?? '');
  const path = (request.url ?? '').replace(/^https?:\/\/[^/]*/, '');
  const { 'proxy-authorization': _, ...headers } = request.headers;
  const upstream = httpRequest({ hostname, port, path, method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.writeHead(502).end());
  request.pipe(upstream);
}
