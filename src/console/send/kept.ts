import { toCopied } from '../copy-as.js';
import { printExact } from '../exact-json.js';
import { about, DEFAULT_WORLD, world } from '../state.js';
import type { Exchange } from '../types.js';
import {
  printHeaders,
  type FormDraft,
  type OperationForm,
  beginDraft,
  toRequest,
  type Surroundings,
} from './to-request.js';

/** A request as text, as far as it can be changed. */
export interface TextDraft {
  method: string;
  target: string;
  headers: string;
  body: string;
}

/** What was written stays while one looks at something else. */
export const keptForms = new Map<string, FormDraft>();
export const keptTexts = new Map<string, TextDraft>();

export function surroundings(): Surroundings {
  const { mountPath = '' } = about.value ?? {};
  return { mountPath, world: world.value === DEFAULT_WORLD ? undefined : world.value };
}

const REDACTED = '[redacted]';

/** The text of an exchange's request, or of what a form states. */
export function beginText(exchange: Exchange | undefined, form?: OperationForm, draft?: FormDraft): TextDraft {
  if (exchange !== undefined) return fromExchange(exchange);
  if (form === undefined) return { method: 'GET', target: '/', headers: '', body: '' };
  const { method, target, headers, body = '' } = toRequest(form, draft ?? beginDraft(form), surroundings());
  return { method, target, headers: printHeaders(headers), body };
}

/** What is redacted stays so; the mock takes it from the exchange. */
function fromExchange(exchange: Exchange): TextDraft {
  const secret = Object.entries(exchange.request.headers).filter(([, value]) => value === REDACTED);
  const { method, url, headers } = toCopied(exchange, '', Object.fromEntries(secret));
  const { body } = exchange.request;
  const text = body === undefined || typeof body === 'string' ? body : printExact(body, '  ');
  return { method, target: url, headers: printHeaders(headers), body: text ?? '' };
}
