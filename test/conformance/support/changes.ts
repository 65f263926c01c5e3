import type { Change, Exchange } from '../../mutation/server/behaviour.js';

/** Notes every request as `GET /pets`, and lets it through. */
export function record(log: Pick<Exchange, 'method' | 'path' | 'headers'>[]): Change {
  return (base) => ({
    intercept: (exchange) => {
      log.push(exchange);
      return base.intercept(exchange);
    },
  });
}

/** Answers with what was sent as Authorization: in a header field, in pets, in errors. */
export const echoing: Change = (base) => ({
  printPet: (pet, exchange) => ({ ...base.printPet(pet, exchange), sentBy: sent(exchange) }),
  printError: (refusal, exchange) => ({
    ...base.printError(refusal, exchange),
    message: `refused ${sent(exchange)} for ${'x'.repeat(100)} ${sent(exchange)}`,
  }),
  encode: (reply, exchange) => {
    const encoded = base.encode(reply, exchange);
    return { ...encoded, headers: { ...encoded.headers, 'x-sent-by': sent(exchange) } };
  },
});

function sent({ headers }: Exchange): string {
  return headers.authorization ?? 'nobody';
}
