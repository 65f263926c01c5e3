import { sameJson } from '../../../contract/document/same-json.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { MoveDoubt } from '../../model/doubt.js';
import { nameChoice, readShown } from '../../judge/own-memory.js';
import { isSameKey } from '../../judge/record-like.js';
import { findAsked } from '../../judge/shown-record.js';
import { askRole } from '../guest/ask-role.js';
import { pause } from '../../wire/http/send-politely.js';
import type { WireRequest } from '../../model/wire.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';
import type { Subject } from '../../subjects/subject.js';
import type { Look } from './look.js';

const ROUNDS = 3;
const PAUSE_MS = 50;

/**
 * Distinguishes a record whose state the service has moved on from one that an operation shows in a state which it is not in:
 * the list and the record's own address then show different ones, however often they are asked. A state in which no record of
 * the run was ever seen was not kept.
 */
export async function judgeMove({ id, field, expected }: MoveDoubt, wire: WireRequest, run: Run): Promise<Look> {
  const views = findViews(wire, id, run);
  if (views === undefined || !run.memory.keptChoices.has(nameChoice(views.subject, field, expected))) return 'defect';
  for (let round = 0; round < ROUNDS && !run.signal.aborted; round++) {
    const isHereFirst = round % 2 === 0;
    const first = await (isHereFirst ? views.here : views.elsewhere)();
    const second = await (isHereFirst ? views.elsewhere : views.here)();
    if (first === undefined || second === undefined) return 'defect';
    if (sameJson(first[field], second[field])) return { needs: describe(field) };
    await pause(PAUSE_MS, run.signal);
  }
  return 'defect';
}

function describe(field: string): string {
  return `a service that changes \`${field}\` only where it is asked to: this one was seen to move it on by itself`;
}

type Shown = Readonly<Record<string, unknown>>;

interface Views {
  subject: Subject;
  here: () => Promise<Shown | undefined>;
  elsewhere: () => Promise<Shown | undefined>;
}

/** The request that is in doubt, and the other way to see the record; `undefined` where there is but one. */
function findViews(wire: WireRequest, id: unknown, run: Run): Views | undefined {
  const [path = ''] = wire.target.slice(run.prepareOptions.basePath.length).split('?');
  const match = run.contract.match(wire.method, path);
  const asked = match.kind === 'operation' ? findAsked(run.contract, { operation: match.operation }) : undefined;
  if (match.kind !== 'operation' || asked === undefined) return undefined;
  const { subject, role } = asked;
  const { get, list } = subject.roles;
  const other = role.role === 'get' ? list : get;
  if (other === undefined || (role.role !== 'get' && role.role !== 'list')) return undefined;
  const scope = Object.entries(match.pathValues).slice(0, subject.resource.scope.length);
  const key = role.role === 'list' ? [[subject.resource.key.parameter, id] as const] : [];
  const parameters = Object.fromEntries([
    ...scope.map(([name, value]) => [name, decodeURIComponent(value)] as const),
    ...key,
  ]);
  return {
    subject,
    here: async () => find(role, await run.send(wire), { subject, id }),
    elsewhere: async () => find(other, await askRole(other, parameters, run), { subject, id }),
  };
}

function find(
  role: RoleOperation,
  answer: Awaited<ReturnType<Run['send']>>,
  { subject, id }: { subject: Subject; id: unknown },
): Shown | undefined {
  if (answer.kind === 'unanswered' || answer.status > 299) return undefined;
  const body = readBody(answer);
  if (body.kind !== 'json') return undefined;
  return readShown({ subject, role }, body.value).find(({ key }) => isSameKey(key, id))?.record;
}
