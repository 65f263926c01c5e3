import { isOfAbsence, type WireRequest } from '../../model/wire.js';
import { judgeGone } from './judge-gone.js';
import type { Run } from '../run.js';
import type { Look } from './look.js';

/**
 * Distinguishes an address that leads nowhere from another one of the same record (RFC 9110 section 10.2.2), which must still be
 * there itself.
 */
export async function judgeAddress(
  { id, of, location }: { id: unknown; of: string; location: string },
  wire: WireRequest,
  run: Run,
): Promise<Look> {
  const { pathname, search } = new URL(location, 'http://target');
  const ofBody = new Set(['content-type', 'content-length']);
  const headers = Object.entries(wire.headers).filter(([name]) => !ofBody.has(name.toLowerCase()));
  const asked = {
    method: 'GET',
    target: `${pathname}${search}`,
    headers: Object.fromEntries(headers),
    body: undefined,
  };
  const answer = await run.send(asked);
  const isNowhere = answer.kind === 'answered' && isOfAbsence(answer.status);
  return isNowhere && (await judgeGone({ id, of }, run)) === 'defect' ? 'defect' : 'fine';
}
