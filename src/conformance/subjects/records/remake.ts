// What the scenarios of a resource send once a run has seen which record its service takes.
import { printJson, sameJson } from '../../../contract/document/json.js';
import { comesFromAnswer, escape } from '../../wire/request/template.js';
import { bindSubjects } from '../bind-subjects.js';
import type { Binding } from '../binding.js';
import { readSubjects } from '../subject.js';
import { listExampleBodies } from './example-bodies.js';
import { readGiven } from './given-records.js';
import type { MadeRecords, RecordTemplate } from './made-records.js';
import { makeRecords } from './make-records.js';
import { fillRecord, fillUnique, isUnique } from './unique-texts.js';

/** A record to send: as a template, and with plain values, by which the contract judges it. */
export interface Trial {
  full: RecordTemplate;
  plain: RecordTemplate;
}

/** What a create may be tried with beside what the run makes of the contract: the user's records and the contract's examples as they stand. */
export function listOtherTrials({ subject, contract, scope, made }: Binding): Trial[] {
  const { bindings } = bindSubjects(contract);
  const ready = readSubjects(contract).filter(
    (each) => each === subject || bindings.some((other) => other.subject === each),
  );
  const [, ...further] = listExampleBodies(subject.roles.create, contract);
  const others = [...further, {}].flatMap((example) => {
    const other = makeRecords(subject, ready, contract, scope, example);
    return 'lacking' in other ? [] : [{ full: other.full, plain: other.plain }];
  });
  const given = readGiven(subject, contract).map(({ whole }) => asItStands(whole));
  const examples = listExampleBodies(subject.roles.create, contract).map(asItStands);
  return [...given, { full: made.full, plain: made.plain }, ...examples, ...others];
}

function asItStands(record: RecordTemplate): Trial {
  return { full: escape(record, isUnique), plain: fillRecord(record) };
}

/** The smallest record, with plain values. */
export function leastOf({ minimal, plain }: MadeRecords): Trial {
  return { full: minimal, plain: pick(plain, Object.keys(minimal)) };
}

/** The same records, with the smallest one that the service takes. */
export function withLeast(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const other = pick(full, listChanged(full, made.full));
  return {
    ...made,
    minimal: full,
    full: { ...made.full, ...full },
    plain: { ...made.plain, ...plain },
    other: { ...made.other, ...other },
    changed: made.changed.filter((name) => !Object.hasOwn(other, name)),
  };
}

/** The same records, with no more fields than the service takes, and with the values that it takes. */
export function withFull(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const set = listChanged(full, made.full);
  const kept = Object.keys(full).filter((name) => !set.includes(name));
  // What a service takes but once differs in the smallest record too.
  const differing = set.filter((name) => isUnique(full[name]) && Object.hasOwn(made.minimal, name));
  return {
    ...made,
    minimal: { ...made.minimal, ...pick(full, differing) },
    full,
    plain,
    other: { ...pick(made.other, kept), ...pick(full, set) },
    changed: made.changed.filter((name) => kept.includes(name)),
  };
}

/** The same records, with another one that the service takes. */
export function withOther(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const own = made.changed.filter(
    (name) => sameJson(full[name], made.other[name]) && !sameJson(plain[name], made.plain[name]),
  );
  return { ...made, other: full, changed: own };
}

/** The other record; what is unique in it differs by its name alone. */
export function otherOf({ other, plain }: MadeRecords): Trial {
  const values = Object.entries(other).map(([name, value]) => {
    const shown = typeof value === 'string' ? fillUnique(value) : value;
    return [name, shown === undefined || comesFromAnswer(value) ? plain[name] : shown];
  });
  return { full: other, plain: Object.fromEntries(values) as RecordTemplate };
}

/** The fields with another value than before. */
function listChanged(now: RecordTemplate, before: RecordTemplate): string[] {
  return Object.keys(now).filter((name) => !sameJson(now[name], before[name]));
}

function pick(record: RecordTemplate, names: readonly string[]): RecordTemplate {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name]]));
}

/** A resource whose records refer to none that a scenario was to create; `undefined` where they have to. */
export function withoutReference(binding: Binding, id: string): Binding | undefined {
  const { made, scope } = binding;
  const refers = (value: unknown): boolean => printJson(value).includes(`$scenarios.${id}.outputs.`);
  if (!made.dependsOn.includes(id) || refers(made.minimal) || refers(scope)) return undefined;
  const left = Object.keys(made.full).filter((name) => refers(made.full[name]) || refers(made.other[name]));
  const drop = (record: RecordTemplate): RecordTemplate =>
    pick(
      record,
      Object.keys(record).filter((name) => !left.includes(name)),
    );
  const isOther = (each: string): boolean => each !== id;
  return {
    ...binding,
    dependsOn: binding.dependsOn.filter(isOther),
    made: {
      ...made,
      full: drop(made.full),
      plain: drop(made.plain),
      other: drop(made.other),
      kinds: made.kinds.filter(({ full }) => !refers(full)),
      changed: made.changed.filter((name) => !left.includes(name)),
      dependsOn: made.dependsOn.filter(isOther),
    },
  };
}
