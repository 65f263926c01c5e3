import type { Operation } from '../model.js';

/** Whether a request must say which version of a record it means (RFC 9110 section 13.1.1). */
export function requiresTag({ parameters }: Pick<Operation, 'parameters'>): boolean {
  return parameters.some(({ required, in: place, name }) => required && place === 'header' && isTagName(name));
}

export function isTagName(name: string): boolean {
  return /^if-match$/i.test(name);
}

/** Whether its answers say which version of a record they show. */
export function showsTag({ method, responses }: Pick<Operation, 'method' | 'responses'>): boolean {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return method === 'GET' && successes.some(({ headers }) => headers.some(({ name }) => /^etag$/i.test(name)));
}
