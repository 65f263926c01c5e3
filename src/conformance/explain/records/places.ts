// Where in a body something is, whatever envelope or list its records are in.
import type { Finding } from '../../model/result.js';
import { star } from '../sign.js';

/** The names on the way to a place in a body. */
export function partsOf(at: string): string[] {
  return star(at).split('/').slice(1);
}

/** Whether one way is the end of the other: an answer may have its records in an envelope, or in a list. */
export function endsAlike(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length);
  return length > 0 && one.slice(-length).join('/') === other.slice(-length).join('/');
}

/** Whether something is within a value that no request may have at all. */
export function isInside(parts: readonly string[], sent: string, finding: Pick<Finding, 'at' | 'actual'>): boolean {
  const place = partsOf(finding.at);
  return sent.includes(finding.actual) && place.some((_, end) => end > 0 && endsAlike(parts, place.slice(0, end)));
}
