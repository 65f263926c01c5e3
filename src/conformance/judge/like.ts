import { sameToADouble } from '../../contract/document/same-json.js';
import { isSecretName } from '../../redact/secret-names.js';
import { isRecord, showPair } from './shown.js';

export interface Unlikeness {
  /** Pointer from the values that were compared. */
  at: string;
  expected: string;
  actual: string;
}

/**
 * Where a value is not what was sent. A service may add members to objects, write a time in another way, an e-mail address in
 * lower case, a code in capitals, a decimal with more zeros behind it and a secret as asterisks: none of it says something else.
 */
export function listUnlike(sent: unknown, seen: unknown, at = ''): Unlikeness[] {
  if (isSame(sent, seen) || isMasked(at, seen)) return [];
  if (Array.isArray(sent) && Array.isArray(seen) && sent.length === seen.length)
    return sent.flatMap((item, index) => listUnlike(item, seen[index], `${at}/${index}`));
  if (isRecord(sent) && isRecord(seen))
    return Object.entries(sent).flatMap(([name, value]) => listUnlike(value, seen[name], `${at}/${name}`));
  return [{ at, ...showPair(sent, seen) }];
}

/** A secret that is shown as `**********` in place of what was sent. */
function isMasked(at: string, seen: unknown): boolean {
  return typeof seen === 'string' && /^([*•●])\1{2,}$/.test(seen) && isSecretName(at.slice(at.lastIndexOf('/') + 1));
}

function isSame(sent: unknown, seen: unknown): boolean {
  if (sameToADouble(sent, seen)) return true;
  // What is not given may be told as null, and the other way round.
  if (sent === null && seen === undefined) return true;
  if (typeof sent !== 'string' || typeof seen !== 'string') return false;
  return (
    isSameTime(sent, seen) ||
    isSameCode(sent, seen) ||
    isSameDecimal(sent, seen) ||
    (sent.includes('@') && sent.toLowerCase() === seen.toLowerCase())
  );
}

const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/;

/** Of a country, a currency, a number plate: what has no capitals. */
const CODE = /^[a-z\d]+(?:-[a-z\d]+)*$/;
const LONGEST_CODE = 12;

function isSameCode(sent: string, seen: string): boolean {
  return CODE.test(sent) && sent.length <= LONGEST_CODE && sent.toUpperCase() === seen;
}

/** Fewer digits than were sent may be a number that was made of a text. */
function isSameDecimal(sent: string, seen: string): boolean {
  if (!seen.startsWith(sent)) return false;
  const added = seen.slice(sent.length);
  return /^-?\d+\.\d+$/.test(sent) ? /^0+$/.test(added) : /^-?\d+$/.test(sent) && /^\.0{2,}$/.test(added);
}

function isSameTime(sent: string, seen: string): boolean {
  return TIME.test(sent) && TIME.test(seen) && Date.parse(sent) === Date.parse(seen);
}
