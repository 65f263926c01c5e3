// A server before a right one, with the defect that its second argument names: what the fuzzer must find.
import { createServer, request as forward } from 'node:http';

const [, , upstream, defect] = process.argv;
const { hostname, port } = new URL(upstream);
const hoard = [];
let answers = 0;
let first;

/** Each may change the answer, or do what no server should. */
const DEFECTS = {
  'answers off its contract': ({ text }) => (answers % 20 === 0 ? { text: text.replace('"id"', '"key"') } : {}),
  'ends in 500': ({ body }) => (body.includes('__proto__') ? { status: 500, text: '{"message":"sorry"}' } : {}),
  'works too much': ({ body }) => {
    if (body.length > 10_000 && body.length < 400_000)
      for (let round = 0; round < 60; round++) JSON.parse(`[${'"words",'.repeat(400_000)}1]`);
    return {};
  },
  'holds what it was sent': () => {
    hoard.push(Buffer.alloc(20 * 1024 * 1024, answers));
    return {};
  },
  'loses a record': ({ method, url, status }) => {
    if (method === 'POST' && status === 201) first ??= url;
    return method === 'GET' && first !== undefined && url.startsWith(`${first}/`)
      ? { status: 404, text: '{"message":"gone"}' }
      : {};
  },
  'shows an object of its own': ({ body, text }) =>
    body.includes('1e400') ? { text: text.replace('{', '{"isLosslessNumber":true,') } : {},
  'does not answer': ({ body }) => (body.includes('constructor') ? { silent: true } : {}),
};

// The longest head that the server behind it takes is its own affair.
const server = createServer({ maxHeaderSize: 200_000 }, (received, response) => {
  const parts = [];
  received.on('data', (part) => parts.push(part));
  received.on('error', () => undefined);
  received.on('end', () => {
    const body = Buffer.concat(parts);
    const { method, url, headers } = received;
    const sent = forward({ host: hostname, port, path: url, method, headers }, (answer) => {
      const shown = [];
      answer.on('data', (part) => shown.push(part));
      answer.on('end', () => {
        answers += 1;
        const before = {
          method,
          url,
          status: answer.statusCode,
          text: Buffer.concat(shown).toString(),
          body: body.toString('latin1'),
        };
        const after = { ...before, ...DEFECTS[defect]?.(before) };
        if (after.silent) return response.socket?.destroy();
        const { 'content-length': _, 'transfer-encoding': __, ...kept } = answer.headers;
        response.writeHead(after.status, kept).end(after.text);
      });
    });
    sent.on('error', () => response.writeHead(400).end());
    sent.end(body);
  });
});
server.on('connection', (socket) => socket.on('error', () => undefined));
server.on('upgrade', (_request, socket) => socket.destroy());
server.on('connect', (_request, socket) => {
  if (defect === 'ends at CONNECT') process.exit(7);
  socket.destroy();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
