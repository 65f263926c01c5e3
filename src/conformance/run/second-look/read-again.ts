import { isAlike } from '../../judge/status.js';
import type { WireRequest } from '../../model/wire.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';

/** The body of a success; `undefined` for every other answer. */
export async function readAgain(wire: WireRequest, run: Run): Promise<unknown> {
  const answer = await run.send(wire);
  if (answer.kind === 'unanswered' || !isAlike(answer.status, '2XX')) return undefined;
  const body = readBody(answer);
  return body.kind === 'json' ? body.value : undefined;
}
