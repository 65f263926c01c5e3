import type { Contract } from '../../contract/contract.js';
import { escapePointer, parsePointer } from '../../contract/document/document.js';
import { suggest } from '../../suggest.js';
import type { Mistake } from '../judge/keyword.js';
import type { Scenario } from '../model/scenario.js';

const KINDS = 'a pointer into the contract (#/paths/...), an RFC (RFC 9110 section 15.5.5), or a URL';
const RFC = /^RFC [1-9]\d*(?: section \d+(?:\.\d+)*)?$/;

/** A rule is at an existing place of the contract, in an RFC, or at a URL; the basis of a gap is where the gap says. */
export function findBadBasis({ basis, gap }: Scenario, { document }: Contract): Mistake | undefined {
  if (basis === '') {
    const message = `\`basis\` says where the rule stands, and it is missing: ${KINDS}.`;
    return gap === undefined ? { at: '', message } : undefined;
  }
  if (basis.startsWith('#')) return findDeadPointer(basis.slice(1), document);
  if (RFC.test(basis)) return undefined;
  if (/^https?:\/\//i.test(basis) && URL.canParse(basis)) return undefined;
  return { at: '/basis', message: `the basis ${basis} leads nowhere; it is ${KINDS}.` };
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
