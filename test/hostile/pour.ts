import type { Socket } from 'node:net';

/** First one text, then another for ever. */
export function* repeat(first: string, rest: string): Generator<string> {
  yield first;
  for (;;) yield rest;
}

/** Writes pieces as fast as the other side reads them, after an opening; closes when they come to an end. */
export function pour(socket: Socket, pieces: Iterator<string | Buffer>, opening = ''): void {
  if (opening !== '') socket.write(opening);
  const next = (): void => {
    while (!socket.destroyed) {
      const { done, value } = pieces.next();
      if (done === true) {
        socket.end();
        return;
      }
      // An empty write would never report that it is drained.
      if (value.length > 0 && !socket.write(value)) {
        socket.once('drain', next);
        return;
      }
    }
  };
  next();
}
