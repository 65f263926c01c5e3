import { Agent, request as startRequest } from 'node:http';
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
function send(url: string, { method, target, headers, body, cut }: ReplayRequest, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const label = `${method} ${target} ${body ?? ''}`;
    const length = body === undefined || cut === 'chunks' ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = startRequest(url + target, { method, headers: { ...headers, ...length }, agent }, (response) => {
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
    if (body === undefined || cut === undefined) return void request.end(body);
    const bytes = Buffer.from(body);
    const at = bytes.findIndex((byte) => byte >= 0xc0) + 1;
    request.write(bytes.subarray(0, at), () =>
      setTimeout(() => setImmediate(() => request.end(bytes.subarray(at))), 10),
    );
  });
}
