import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Draws } from './draws.js';
import { spoil, spoilText } from './spoil.js';
import { number, object, plain, read, write, type Written } from './written.js';
import { listen } from '../support/network/listen.js';
import { words } from '../support/words.js';

export interface HostileProxy {
  /** Ends in `/v1`. */
  url: string;
  close: () => Promise<void>;
}

/** An answer before it is spoiled. */
type Plain = { status: number; headers: Record<string, string>; text: string };

/** A server before a right one, which spoils some of its answers: any part of them, in any way. */
export async function startHostileProxy(upstream: string, share: number, draws: Draws): Promise<HostileProxy> {
  const server = createServer((request, response) => {
    void forward(upstream, request).then((answer) => {
      if (draws.chance(share)) spoilAnswer(answer, response, draws);
      else reply(answer, response);
    });
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}/v1`, close };
}

async function forward(upstream: string, request: IncomingMessage): Promise<Plain> {
  const body: Buffer[] = [];
  for await (const part of request) body.push(part as Buffer);
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    DROPPED.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  const method = request.method ?? 'GET';
  const sent = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(body) };
  try {
    const answer = await fetch(`${upstream}${request.url}`, { method, headers, ...sent, redirect: 'manual' });
    const shown = [...answer.headers].filter(([name]) => !DROPPED.has(name));
    return { status: answer.status, headers: Object.fromEntries(shown), text: await answer.text() };
  } catch {
    // What cannot be handed on (a method, a header field) is refused as a gateway would.
    return { status: 400, headers: {}, text: '' };
  }
}

const DROPPED = new Set(words`host connection content-length transfer-encoding keep-alive expect upgrade`);

function reply({ status, headers, text }: Plain, response: ServerResponse): void {
  response.writeHead(status, headers).end(text);
}

type Spoiler = (answer: Plain, response: ServerResponse, draws: Draws) => void;

/** Names and texts that mean something to whoever fills them in, prints them, or reads them as code. */
const MEANING = [
  ...words`$x $steps.create.response.body {$unique} {{x}} %s __proto__ </script> ::error::`,
  '\u001B[2J',
  '`id`',
];

const RAW = [
  '',
  '\0\0',
  'HTTP/1.1 \r\n\r\n',
  'HTTP/1.1 200 OK\r\nA',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
];

const STATUSES = [200, 201, 204, 302, 304, 400, 404, 418, 429, 500, 599];

const SPOILERS: readonly Spoiler[] = [
  (answer, response, draws) => reply({ ...answer, text: spoilJson(answer.text, draws) }, response),
  (answer, response, draws) => reply({ ...answer, text: spoilJson(answer.text, draws) }, response),
  (answer, response, draws) => reply({ ...answer, text: addMembers(answer.text, draws) }, response),
  (answer, response, draws) => reply({ ...answer, text: spoilText(answer.text, draws) }, response),
  (answer, response, draws) => reply({ ...answer, status: draws.pick(STATUSES) }, response),
  (answer, response, draws) => reply({ ...answer, headers: { ...answer.headers, ...spoilHeaders(draws) } }, response),
  (_answer, response) => response.socket?.destroy(),
  (_answer, response) => response.socket?.resetAndDestroy(),
  ({ text }, response, draws) =>
    raw(response, `HTTP/1.1 200 OK\r\nContent-Length: ${text.length + draws.below(9)}\r\n\r\n${text}`),
  (_answer, response, draws) => raw(response, draws.pick(RAW)),
];

function spoilAnswer(answer: Plain, response: ServerResponse, draws: Draws): void {
  draws.pick(SPOILERS)(answer, response, draws);
}

function raw(response: ServerResponse, bytes: string): void {
  response.socket?.end(bytes, 'latin1');
}

function parse(text: string): Written {
  try {
    return read(JSON.parse(text));
  } catch {
    return plain(text);
  }
}

function spoilJson(text: string, draws: Draws): string {
  return write(spoil(parse(text), draws));
}

/** Beside what an object has, or in its place. */
function addMembers(text: string, draws: Draws): string {
  const value = parse(text);
  type Member = [string, Written];
  const more = draws.times(3, (): Member => [draws.pick(MEANING), draws.pick([plain(draws.pick(MEANING)), number(1)])]);
  const replace = ([name, member]: Member): Member => [name, draws.chance(0.2) ? plain(draws.pick(MEANING)) : member];
  const addTo = (item: Written) => (item.kind === 'object' ? object([...item.members, ...more]) : item);
  if (value.kind === 'object') return write(object([...value.members.map(replace), ...more]));
  return write(value.kind === 'list' ? { ...value, items: value.items.map(addTo) } : value);
}

function spoilHeaders(draws: Draws): Record<string, string> {
  const all: [string, string][] = [
    ['content-type', draws.pick(['text/html', 'application/json; charset=utf-7', ';;', 'application/problem+json'])],
    ['content-encoding', draws.pick(['gzip', 'br', 'unknown'])],
    ['location', draws.pick(['//elsewhere.example', '/v1/pets/{$unique}', 'http://[', '%'])],
    ['retry-after', draws.pick(['-1', '0', 'soon'])],
    ['etag', draws.pick(['"', 'W/', '$etag'])],
    ['link', draws.pick(['<', '<http://elsewhere.example>; rel="next"', '<>; rel=next'])],
    ['ratelimit-remaining', draws.pick(['-1', '1e400', 'x'])],
  ];
  return Object.fromEntries(draws.some(all, 0.3));
}
