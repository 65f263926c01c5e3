import { printExact, parseExact } from './exact-json.js';
import type { Fault, PlantedAnswer } from './types.js';

export function describeEffect({ effect }: Fault): string {
  const { status, answer, delay, reset, truncate, invalidJson, breakContract } = effect;
  const withBody = answer?.body === undefined ? '' : ' and your body';
  const broken = answer?.breaksContract === true ? ', although it breaks the contract' : '';
  const parts = [
    ...(status === undefined ? [] : [`responds with ${status}`]),
    ...(answer === undefined ? [] : [`responds with ${answer.status ?? 'a success'}${withBody}${broken}`]),
    ...(reset === true ? ['resets the connection'] : []),
    ...(truncate === true ? ['cuts the body off halfway'] : []),
    ...(invalidJson === true ? ['sends a body that is not JSON'] : []),
    ...(breakContract === true ? ['sends a body that breaks the contract'] : []),
    ...(delay === undefined ? [] : [`delays ${describeDelay(delay)}`]),
  ];
  return parts.join(', ');
}

export function describeDelay(delay: number | { from: number; to: number }): string {
  if (typeof delay === 'number') return `${delay} ms`;
  return delay.from === delay.to ? `${delay.from} ms` : `${delay.from} to ${delay.to} ms`;
}

export function describeTarget({ operationId, when = {}, times, rate, at }: Fault): string {
  const query = Object.entries(when.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const parts = [
    operationId ?? 'every operation',
    ...(when.method === undefined ? [] : [when.method]),
    ...(when.path === undefined ? [] : [when.path]),
    ...(query.length === 0 ? [] : [`?${query.join('&')}`]),
    ...(when.status === undefined ? [] : [`when the status is ${when.status}`]),
    ...(at === 'after' ? ['after it has run'] : []),
    ...(times === undefined ? [] : [times === 1 ? 'once' : `${times} times`]),
    ...(rate === undefined ? [] : [`${Math.round(rate * 100)} % of the time`]),
  ];
  return parts.join(' · ');
}

/** The fault as the command line writes it; `undefined` for one that it cannot write. */
export function toFlag(fault: Fault): string | undefined {
  const { operationId, when = {}, effect, at, times, rate } = fault;
  const { delay } = effect;
  if (effect.answer !== undefined) return quoteFlag(printExact(fault));
  const words = [
    ...(effect.status === undefined ? [] : [String(effect.status)]),
    ...(effect.reset === true ? ['reset'] : []),
    ...(effect.truncate === true ? ['truncate'] : []),
    ...(effect.invalidJson === true ? ['invalid-json'] : []),
    ...(effect.breakContract === true ? ['break-contract'] : []),
    ...(delay === undefined ? [] : [`delay=${typeof delay === 'number' ? delay : `${delay.from}-${delay.to}`}`]),
    ...(effect.retryAfter === undefined ? [] : [`retry-after=${effect.retryAfter}`]),
    ...(at === undefined ? [] : [at]),
    ...(times === undefined ? [] : [`times=${times}`]),
    ...(rate === undefined ? [] : [`rate=${rate}`]),
    ...(when.method === undefined ? [] : [`method=${when.method}`]),
    ...(when.path === undefined ? [] : [`path=${when.path}`]),
    ...(when.status === undefined ? [] : [`status=${when.status}`]),
    ...Object.entries(when.query ?? {}).map(([name, value]) => `query.${name}=${value}`),
  ];
  const text = [operationId ?? '*', ...words].join(':');
  // A colon within a word would begin the next word.
  if (text.split(':').length !== words.length + 1) return undefined;
  return quoteFlag(text);
}

const quoteFlag = (text: string): string => `--fault '${text.replaceAll("'", `'\\''`)}'`;
export const toLibraryCall = (fault: Fault): string => `await mock.faults.add(${printExact(fault)});`;

export type AnswerDraft = { headers: string; body: string; breaks: boolean };

export function toAnswerDraft({ headers = {}, body, breaksContract }: PlantedAnswer = {}): AnswerDraft {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return {
    headers: lines.join('\n'),
    body: body === undefined ? '' : typeof body === 'string' ? body : printExact(body, '  '),
    breaks: breaksContract === true,
  };
}

export function toAnswer(status: string, { headers, body, breaks }: AnswerDraft): PlantedAnswer {
  const fields = headers.split('\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const];
  });
  return {
    ...(status === '' ? {} : { status: Number(status) }),
    ...(fields.length === 0 ? {} : { headers: Object.fromEntries(fields) }),
    ...(body.trim() === '' ? {} : { body: readBody(body) }),
    ...(breaks ? { breaksContract: true as const } : {}),
  };
}

export function readBody(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
