import type { Socket } from 'node:net';
import { breaking, type Mutant } from './mutant.js';
import { refuseWhen } from './planting.js';
import { stated } from './stated.js';

/** Mutants that a form of a message shows which every server has to read (RFC 9112). */
export const messageMutants = {
  ...breaking(stated.getAnswer, ['status']).by({
    'absolute-form-400: a target that is a whole URL gets 400': refuseWhen(
      ({ target }) => target.startsWith('http'),
      400,
    ),
    'capitals-unread: header names in capitals are not read': refuseWhen(
      ({ fieldNames }) => fieldNames.includes('ACCEPT'),
      400,
    ),
    'empty-query-400: a query without a parameter gets 400': refuseWhen(({ target }) => target.endsWith('?'), 400),
  }),
  ...breaking(stated.getAnswer, ['answered']).by({
    'head-read-at-once: a head that is not there at once is none': () => ({
      tuneServer: (server) => {
        server.on('connection', (socket: Socket) =>
          socket.once('data', (bytes: Buffer) => {
            if (bytes.toString('latin1').startsWith('GET ') && !bytes.includes('\r\n\r\n')) socket.destroy();
          }),
        );
      },
    }),
  }),
  ...breaking(stated.created, ['status', 'record']).by({
    'expectation-forgets-the-body: a body that is asked for is not read': () => ({
      tuneServer: (server) => {
        server.on('checkContinue', (_, response) => {
          response.writeHead(400, { 'content-type': 'application/json' });
          response.end('{"code":"empty","message":"There is no body.","status":400}');
        });
      },
    }),
    'trailers-400: a body with trailers gets 400': refuseWhen(({ headers }) => headers.trailer !== undefined, 400),
  }),
} satisfies Record<string, Mutant>;
