import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of Node's as the web has it. */
export function toWebRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  { body, signal }: { body: Uint8Array | undefined; signal: AbortSignal },
): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, each]),
  );
  const sent = method === 'GET' || method === 'HEAD' || body === undefined ? {} : { body: Buffer.from(body) };
  return new Request(new URL(url, 'http://localhost'), { method, headers: fields, signal, ...sent });
}

/** Writes an answer of the web's piece by piece, as it comes, until its reader is gone. */
export async function writeWebResponse(answered: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) return answered.body?.cancel();
  response.writeHead(answered.status, { 'Cache-Control': 'no-store', ...Object.fromEntries(answered.headers) });
  if (answered.body === null) return void response.end();
  // A reader that waits for the first event sees that it has been heard.
  response.flushHeaders();
  const reader = answered.body.getReader();
  response.once('close', () => void reader.cancel().catch(() => {}));
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (response.destroyed) return;
    if (!response.write(piece.value)) await whenWritable(response);
  }
  response.end();
}

/** When there is room again, or nobody reads any more. */
function whenWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}
