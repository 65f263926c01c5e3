import type { Contract } from '../../contract/contract.js';
import { escapePointer, parsePointer } from '../../contract/document/document.js';
import { suggest } from '../../suggest.js';
import type { Mistake } from '../checks/keyword.js';
import type { Scenario } from './scenario.js';

/** The sections of the interface, by which shipped scenarios say where a rule stands that the document has no place for. */
const SECTION = /^section (?:[1235-9]|4(?:\.[1-3])?)$/;
const RFC = /^RFC [1-9]\d*(?: section \d+(?:\.\d+)*)?$/;

/** A rule stands at a place of the contract that exists, in a section of the interface, in an RFC, or at a URL. */
export function findBadBasis({ basis }: Scenario, { document }: Contract): Mistake | undefined {
  if (basis.startsWith('#')) return findDeadPointer(basis.slice(1), document);
  if (SECTION.test(basis) || RFC.test(basis)) return undefined;
  if (/^https?:\/\//i.test(basis) && URL.canParse(basis)) return undefined;
  const message =
    `the basis ${basis} leads nowhere; it is a pointer into the contract (#/paths/...), a section of the ` +
    'interface (section 1 to 9, section 4.1 to 4.3), an RFC (RFC 9110 section 15.5.5), or a URL.';
  return { at: '/basis', message };
}

function findDeadPointer(pointer: string, document: Contract['document']): Mistake | undefined {
  if (document.at(pointer) !== undefined) return undefined;
  let reached = '';
  for (const part of parsePointer(pointer)) {
    const next = `${reached}/${escapePointer(part)}`;
    if (document.at(next) === undefined) {
      const near = suggest(part, Object.keys(Object(document.at(reached)) as object));
      const place = reached === '' ? 'the contract' : `the contract at #${reached}`;
      return { at: '/basis', message: `the basis leads nowhere: ${place} has no ${part}${near}` };
    }
    reached = next;
  }
  return undefined;
}
