import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiResponse } from '../../contract/message.js';
import { createRefusal } from '../answer/refusals.js';
import type { Call } from '../world/world.js';
import { describeMissing, refuseMissing, type Missing, type Served } from './served.js';

/** The status for a record that is gone; `undefined` for the answer that its removal had. */
const OF_REMOVE: Readonly<Record<string, number | undefined>> = {
  'not-found': 404,
  'gone-410': 410,
  repeated: undefined,
};
const OF_UPDATE: Readonly<Record<string, number>> = { 'not-found': 404, 'gone-410': 410, 'refused-409': 409 };

/** The answer for a record that a client removed, as the profile has it. */
export function answerGone(missing: Missing, call: Call, { role }: Served): ApiResponse | undefined {
  if (role.role === 'remove') {
    const status = actOn(call.profile, 'remove-gone', OF_REMOVE);
    if (status === undefined) return repeatRemoval(role);
    return createRefusal(status, describeMissing(missing));
  }
  if (role.role === 'update') {
    return createRefusal(actOn(call.profile, 'update-gone', OF_UPDATE), describeMissing(missing));
  }
  return refuseMissing(missing, call);
}

/** Where the answer has a body, the contract alone makes it. */
function repeatRemoval({ success }: Served['role']): ApiResponse | undefined {
  return success.body === 'none' ? { status: success.status, headers: {}, body: undefined } : undefined;
}
