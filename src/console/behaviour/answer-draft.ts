import { parseExact, printExact } from '../exact-json.js';
import type { PlantedAnswer } from '../types.js';

/** An answer as it is written in a form. */
export interface AnswerDraft {
  headers: string;
  body: string;
  breaks: boolean;
}

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

/** JSON, or the text itself where it is none. */
export function readBody(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
