import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Hands each request to the next of several replicas; one that cannot be reached is passed over. */
export async function startBalancer(origins: () => readonly string[]): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    // A client may send a whole URL (RFC 9112 section 3.2.2).
    const path = (asked.url ?? '').replace(/^https?:\/\/[^/]*/i, '');
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const body = Buffer.concat(parts);
      const pass = (attempts: number): void => {
        const all = origins();
        const origin = all[(turn += 1) % all.length] ?? '';
        const options = { method: asked.method, headers: asked.headers, agent };
        const passed = request(`${origin}${path}`, options, (answered) => {
          answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
          answered.pipe(answer);
          answered.once('error', () => answer.destroy());
        });
        passed.once('error', (error: NodeJS.ErrnoException) => {
          if (answer.headersSent) return void answer.destroy();
          // What was sent may have been done; only what nobody received is sent again.
          if (error.code === 'ECONNREFUSED' && attempts < 2 * all.length) return pass(attempts + 1);
          answer.writeHead(502).end();
        });
        passed.end(body);
      };
      pass(0);
    });
  });
  // A connection that the balancer closes just as a client uses it again would look like a lost answer.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
