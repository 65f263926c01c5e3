import { sameJson } from '../../../contract/document/same-json.js';
import type { RoleOperation } from '../../../contract/resources/resource.js';
import type { MoveDoubt } from '../../model/doubt.js';
import { nameChoice, nameMoving, readShown } from '../../judge/own-memory.js';
import { isSameKey } from '../../judge/record-like.js';
import { findAsked } from '../../judge/shown-record.js';
import { limitOf } from '../../../contract/gaps/parts.js';
import { askRole } from '../guest/ask-role.js';
import { pause } from '../../wire/http/send-politely.js';
import { splitTarget } from '../../wire/request/prepare-request.js';
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
  const views = findViews(wire, { id, field }, run);
  if (views === undefined || !run.memory.keptChoices.has(nameChoice(views.subject, field, expected))) return 'defect';
  for (let round = 0; round < ROUNDS && !run.signal.aborted; round++) {
    const isHereFirst = round % 2 === 0;
    const first = await (isHereFirst ? views.here : views.elsewhere)();
    const second = await (isHereFirst ? views.elsewhere : views.here)();
    if (first === undefined || second === undefined)
      return {
        needs: `a response with the record next to the doubtful one, by which \`${field}\` would be told apart`,
      };
    if (sameJson(first[field], second[field])) return tell(field, views.subject, run);
    await pause(PAUSE_MS, run.signal);
  }
  return 'defect';
}

/** What the contract does not rule out is no deviation. */
function tell(field: string, subject: Subject, run: Run): Look {
  if (run.strict) return 'defect';
  run.memory.moving.add(nameMoving(subject, field));
  run.note(`the target moves \`${field}\` on by itself: records are shown with another than they were created with`);
  return 'fine';
}

type Shown = Readonly<Record<string, unknown>>;

interface Views {
  subject: Subject;
  here: () => Promise<Shown | undefined>;
  elsewhere: () => Promise<Shown | undefined>;
}

/** The request that is in doubt, and the other way to see the record; `undefined` where there is but one. */
function findViews(wire: WireRequest, { id, field }: Pick<MoveDoubt, 'id' | 'field'>, run: Run): Views | undefined {
  const [path = ''] = splitTarget(wire, run.prepareOptions).rest.split('?');
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
    elsewhere: async () => {
      for (const query of listPages(other, field, subject)) {
        const found = find(other, await askRole(other, parameters, run, { query }), { subject, id });
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

/** The longest page, and the longest of each value of the field: of more records than one page has, it may show only some. */
function listPages(role: RoleOperation, field: string, subject: Subject): Readonly<Record<string, unknown>>[] {
  if (role.role !== 'list') return [{}];
  const limit = limitOf(subject.roles);
  const longest = limit === undefined ? {} : { [limit.name]: limit.schema['maximum'] ?? LONG_PAGE };
  const filter = role.list?.filters.find(
    ({ property, relation }) => property.join('/') === field && relation === 'equals',
  );
  const values = subject.fields.find(({ name }) => name === field)?.schema['enum'];
  const chosen = filter === undefined || !Array.isArray(values) ? [] : (values as unknown[]);
  return [
    longest,
    ...chosen.slice(0, MOST_VALUES).map((value) => Object.assign({ [filter?.parameter ?? '']: value }, longest)),
  ];
}

const LONG_PAGE = 100;

/** Of a longer list of values, a record in doubt has one of the first. */
const MOST_VALUES = 6;

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
