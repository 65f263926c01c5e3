import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import type { Certificates } from './certificates.js';
import { listen } from './listen.js';

/** Puts TLS before a server that has none; with `asksClient`, only those with a certificate get in. */
export async function startTlsFront(
  url: string,
  { ca, server: own }: Certificates,
  { asksClient }: { asksClient: boolean },
): Promise<{ port: number; close(): Promise<unknown> }> {
  const behind = new URL(url);
  const [cert, key, authority] = [own.cert, own.key, ca].map((file) => readFileSync(file));
  const options = { cert, key, ca: authority, requestCert: asksClient, rejectUnauthorized: asksClient };
  const server = createServer(options, (request, response) => {
    const { method, headers, url: path } = request;
    const { hostname, port } = behind;
    const upstream = httpRequest({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(upstream);
  });
  return listen(server);
}
