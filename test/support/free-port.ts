import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that operating systems hand out by themselves, so that nobody is given one before it is used. */
const FIRST = 10_000;
const LAST = 32_000;

/** A port on which nothing listens, for programs that cannot choose one themselves. */
export async function findFreePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return findFreePort();
  server.close();
  await once(server, 'close');
  return port;
}
