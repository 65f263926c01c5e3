// What one client sent is no matter of another's: services that collect problems in one place keep those of earlier requests.
import { printJson } from '../../contract/document/json.js';
import { UNKNOWN_FIELD } from '../resources/invalid-records.js';
import { answered, pointerOf, type Check } from './check.js';

const { field: OWN_NAME } = UNKNOWN_FIELD;

export const leakCheck: Check = {
  id: 'error-leak',
  title: 'an error says nothing of what another request has sent',
  comparesAnswers: true,
  run(context) {
    const { wire, sent } = context;
    const { status = 0, bytes = new Uint8Array() } = answered(context) ?? {};
    if (wire === undefined || status < 400 || status > 499) return [];
    const own = `${wire.target}\n${Buffer.from(wire.body ?? []).toString('utf8')}\n${printJson(sent.json ?? null)}`;
    if (own.includes(OWN_NAME) || !Buffer.from(bytes).toString('utf8').includes(OWN_NAME)) return [];
    const expected = 'nothing about a member that the request does not have';
    const actual = `\`${OWN_NAME}\`, which an earlier request had`;
    return [{ rule: 'leak', at: 'body', expected, actual, contractPointer: pointerOf({ sent }) }];
  },
};
