import type { Finding } from '../model/result.js';

// What is wrong within an object: members that no schema defines, and entries of a map.

/** In a sign: members that are there, though the contract does not define them. */
export const UNDEFINED = 'undefined';

const FORBIDS: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties']);

/** Whether a member is one too many. */
export function isUndefined({ rule }: Pick<Finding, 'rule'>): boolean {
  return FORBIDS.has(rule);
}

/** Stands for the name of any entry of a map. */
export const ENTRY = '*';

/**
 * The names of properties, one within the other, up to that of a finding, as the schema of the whole has them: what entries
 * of a map are called, clients choose.
 */
export function readPath(finding: Finding): string[] {
  const parts = (finding.contract?.pointer ?? '').split('/');
  const within = parts.flatMap((part, index) => {
    if (parts[index - 1] === 'properties') return [part];
    const isOfEntries = part === 'additionalProperties' && index < parts.length - 1;
    return isOfEntries && parts[index - 2] === 'properties' ? [ENTRY] : [];
  });
  const isNamed = finding.rule === 'required' || isUndefined(finding);
  return isNamed ? [...within, finding.at.split('/').at(-1) ?? ''] : within;
}

/** The map of which an entry is wrong, as far as the contract describes both in one place. */
export function readMap(finding: Finding): string | undefined {
  const path = readPath(finding);
  return path.at(-1) === ENTRY ? path.at(-2) : undefined;
}
