// The body that a step sends.
import { asObject } from '../../contract/document/plain.js';
import { sameJson } from '../../contract/document/same-json.js';
import { formOf, recordTypeOf } from '../../contract/resources/plain-roles.js';
import type { StepBody } from '../model/scenario.js';
import { changeOf, fillKeys } from './bind-gaps.js';
import { fillRow, fillWords, Inapplicable, type BoundStep } from './binding.js';
import { fitReplacement } from './records/fit-replacement.js';
import type { RecordTemplate } from './records/made-records.js';
import { wrap } from './request-body.js';
import type { RoleStep } from './role-scenario.js';

export function bindBody(step: RoleStep, bound: BoundStep): StepBody | undefined {
  const { binding, row, operation } = bound;
  const { padTo } = step;
  const own = recordTypeOf(operation.operation);
  // What is asked about a body that is odd is asked of JSON.
  const isOdd = [step.text, padTo, step.mediaType, step.cut].some((each) => each !== undefined);
  const isNothing = operation.role === 'create' && operation.operation.requestBody === undefined;
  if (isNothing && step.record !== undefined && !isOdd) return undefined;
  if (isOdd && (isNothing || formOf(operation.operation, own) !== undefined)) throw new Inapplicable('a body of JSON');
  const usual = own === 'application/json' ? undefined : own;
  const mediaType = step.mediaType === undefined ? usual : (fillRow(step.mediaType, row) as string | null);
  const sent = {
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(padTo === undefined ? {} : { padTo }),
    ...(step.cut === undefined ? {} : { cut: step.cut }),
  };
  if (step.text !== undefined) return { text: step.text, ...sent };
  if (step.body !== undefined) return fillRow(step.body, row) as StepBody;
  const takesBody = ['create', 'replace', 'update'].includes(operation.role);
  if (!takesBody || step.record === undefined) return undefined;
  const asked = fillRow(step.record, row);
  const record = chooseRecord(asked, bound);
  const isReplacement = operation.role === 'replace' && typeof asked === 'string' && asked in KNOWN;
  const whole = isReplacement
    ? fitReplacement(record as RecordTemplate, fillKeys(fillWords(step.key, bound), binding), { binding, operation })
    : nameNew(record, bound);
  const changed =
    step.with === undefined
      ? whole
      : { ...(whole as object), ...(fillKeys(fillWords(step.with, bound), binding) as object) };
  return { json: wrap(changed, operation.requestMember), ...sent };
}

/** A record that says its own key says the one in the path. */
function nameNew(record: unknown, { binding: { subject, made }, newKey }: BoundStep): unknown {
  const { property } = subject.resource.key;
  const own = asObject(record)[property];
  return newKey !== undefined && own !== undefined && sameJson(own, made.full[property])
    ? { ...asObject(record), [property]: newKey }
    : record;
}

const KNOWN = { $minimal: 'minimal', $full: 'full', $other: 'other' } as const;

function chooseRecord(record: unknown, bound: BoundStep): unknown {
  const { made } = bound.binding;
  if (record === '$change') return changeOf(bound);
  return typeof record === 'string' && record in KNOWN ? made[KNOWN[record as keyof typeof KNOWN]] : record;
}
