import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from './certificates.js';

/** Puts TLS before a server that has none; with `asksClient`, only those with a certificate get in. */
export async function startTlsFront(
  url: string,
  { ca, server: own }: Certificates,
  { asksClient }: { asksClient: boolean },
): Promise<{ port: number; close(): Promise<unknown> }> {
  const behind = new URL(url);
  const server = createServer(
    {
      cert: readFileSync(own.cert),
      key: readFileSync(own.key),
      ca: readFileSync(ca),
      requestCert: asksClient,
      rejectUnauthorized: asksClient,
    },
    (request, response) => {
      const { method, headers, url: path } = request;
      const upstream = httpRequest(
        { hostname: behind.hostname, port: behind.port, path, method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(upstream);
    },
  );
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
