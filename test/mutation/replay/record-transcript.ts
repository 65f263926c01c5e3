import { Agent, request as startRequest } from 'node:http';
import { connect } from 'node:net';
import type { ReplayRequest, ReplayStep } from './requests.js';

/** Sends the steps one after the other on one connection; gives one line of text for each answer. */
export async function recordTranscript(url: string, steps: readonly ReplayStep[]): Promise<string[]> {
  const alone = new Agent({ keepAlive: true, maxSockets: 1 });
  const together = new Agent();
  const lines: string[] = [];
  for (const step of steps) {
    if ('method' in step) lines.push(await send(url, step, alone));
    // Which of them is served first is chance.
    else lines.push(...(await Promise.all(step.map((one) => send(url, one, together)))).sort());
  }
  alone.destroy();
  return lines;
}

/** Sends a request and writes down the answer, or how it failed; never rejects. */
function send(url: string, { method, target, headers, body, cut, form }: ReplayRequest, agent: Agent): Promise<string> {
  if (form === 'headInPieces') return sendBytes(url, { method, target, headers }, { cutAt: 20 });
  if (form === 'otherSpaces') return sendBytes(url, { method, target, headers }, { colon: ':', end: ' \t' });
  if (form === 'chunkExtension') return sendBytes(url, { method, target, headers, body: body ?? '' });
  return new Promise((resolve) => {
    const label = `${method} ${target} ${body ?? ''}`;
    const length =
      body === undefined || cut === 'chunks' || form === 'trailer' ? {} : { 'content-length': Buffer.byteLength(body) };
    // Node's own reading of a URL leaves out a query that is empty.
    const path = form === 'absolute' ? url + target : `${new URL(url).pathname}${target}`;
    const options = { method, headers: { ...headers, ...length }, agent, path };
    const request = startRequest(url + target, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(`${label} -> ${response.statusCode} cut off`));
      response.on('end', () => {
        // Latin-1 keeps every byte apart.
        const text = Buffer.concat(chunks).toString('latin1');
        const { date: _date, ...rest } = response.headers;
        resolve(`${label} -> ${response.statusCode} ${JSON.stringify(rest)} ${text}`);
      });
    });
    request.setTimeout(5000, () => request.destroy());
    request.on('error', (error) => resolve(`${label} -> ${error.message}`));
    if (form === 'trailer') request.addTrailers({ 'x-no-such': '1' });
    if (body === undefined || cut === undefined) return void request.end(body);
    const bytes = Buffer.from(body);
    const at = bytes.findIndex((byte) => byte >= 0xc0) + 1;
    request.write(bytes.subarray(0, at), () =>
      setTimeout(() => setImmediate(() => request.end(bytes.subarray(at))), 10),
    );
  });
}

/** Sends a request as no library writes it, on a connection of its own; gives the status line. A body is one chunk with an extension. */
function sendBytes(
  url: string,
  { method, target, headers, body }: ReplayRequest,
  { colon = ': ', end = '', cutAt = 0 } = {},
): Promise<string> {
  const { hostname, port, pathname, host } = new URL(url + target);
  const coding = body === undefined ? {} : { 'transfer-encoding': 'chunked' };
  const fields = Object.entries({ ...headers, ...coding, host, connection: 'close' }).map(
    ([name, value]) => `${name}${colon}${value}${end}\r\n`,
  );
  const size = Buffer.byteLength(body ?? '').toString(16);
  const chunks = body === undefined ? '' : `${size};x-no-such="a;b"\r\n${body}\r\n0\r\n\r\n`;
  const text = `${method} ${pathname} HTTP/1.1\r\n${fields.join('')}\r\n${chunks}`;
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(Number(port), hostname, () => {
      if (cutAt === 0) return void socket.write(text);
      socket.write(text.slice(0, cutAt), () =>
        setTimeout(() => setImmediate(() => socket.write(text.slice(cutAt))), 10),
      );
    });
    socket.setNoDelay(true);
    socket.on('data', (bytes) => (said += bytes.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(`${method} ${target} as bytes -> ${said.split('\r\n')[0] ?? ''}`));
  });
}
