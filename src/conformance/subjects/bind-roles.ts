// Makes of a scenario that speaks of roles the scenarios of one resource, which name operations, parameters and fields.
import type { Contract } from '../../contract/contract.js';
import { readProperties } from '../../contract/operations/properties.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { RawScenario, RawStep, Row } from '../scenarios/raw-scenario.js';
import type { Assumption, Expectation, StatusPattern } from '../scenarios/scenario.js';
import { isCertain } from './certainty.js';
import { wrap, type MadeRecords } from './make-records.js';
import { bindPages } from './pages.js';
import type { RoleExpectation, RoleScenario, RoleStep } from './role-scenario.js';
import { listRefusals, listStatuses } from './statuses.js';
import { recordAt, type AskedRole, type Subject } from './subject.js';
import { sizeParameter, TABLES } from './tables.js';

/** A subject with everything that its scenarios are filled from. */
export interface Binding {
  subject: Subject;
  made: MadeRecords;
  contract: Contract;
  /** The parameters that every path of the resource has, with what they are filled from. */
  scope: Readonly<Record<string, string>>;
  /** Scenarios of other resources that make what this one needs. */
  dependsOn: readonly string[];
}

/** The scenario, once or for each row; empty where it does not apply. */
export function bindScenario(raw: RoleScenario, file: string, binding: Binding): RawScenario[] {
  const rows = raw.cases === undefined ? [undefined] : (TABLES[raw.cases]?.(binding) ?? []);
  return rows.flatMap((row) => {
    const bound = new Bound(binding, raw, row).bind(file);
    return bound === undefined ? [] : [bound];
  });
}

/** What a scenario needs and a resource does not have. */
class Inapplicable extends Error {}

class Bound {
  readonly #binding: Binding;
  readonly #raw: RoleScenario;
  readonly #row: Row | undefined;
  readonly #roles = new Map<string, RoleOperation>();

  constructor(binding: Binding, raw: RoleScenario, row: Row | undefined) {
    this.#binding = binding;
    this.#raw = raw;
    this.#row = row;
  }

  bind(file: string): RawScenario | undefined {
    const { id, title, basis, dependsOn = [], after = [], needs } = this.#raw;
    const { subject } = this.#binding;
    try {
      const kept = this.#raw.steps.filter((step) => step.optional !== true || subject.roles[this.#roleOf(step)]);
      for (const step of kept) this.#roles.set(step.id, this.#operationOf(this.#roleOf(step)));
      if (needs === 'getRefusals') this.#status('$notFound', this.#operationOf('get').operation);
      const steps = kept.map((step) => this.#bindStep(step));
      const stated = basis === 'credentials' ? (this.#row?.['role'] as AskedRole) : basis;
      const name = (other: string): string => `${subject.name}/${other.includes('/') ? other : `${file}/${other}`}`;
      return {
        id,
        title: this.#fillTitle(title),
        basis: `#${this.#operationOf(stated).operation.pointer}`,
        dependsOn: [...dependsOn.map(name), ...this.#binding.dependsOn],
        after: after.map(name),
        ...(this.#row === undefined ? {} : { cases: [{ id: this.#row.id }] }),
        steps,
      };
    } catch (error) {
      if (error instanceof Inapplicable) return undefined;
      throw error;
    }
  }

  #roleOf({ role }: RoleStep): AskedRole {
    return role === '$case.role' ? (this.#row?.['role'] as AskedRole) : role;
  }

  #operationOf(role: AskedRole): RoleOperation {
    const found = this.#binding.subject.roles[role];
    if (found === undefined) throw new Inapplicable(role);
    return found;
  }

  #bindStep(step: RoleStep): RawStep {
    const role = this.#roleOf(step);
    const bound = this.#operationOf(role);
    const record = this.#case(step.record);
    const pages = step.pages === undefined ? undefined : bindPages(this.#binding.subject, this.#case(step.pages));
    const isBare = step.auth !== undefined && step.auth !== 'valid';
    return {
      id: step.id,
      operationId: bound.operation.id,
      ...(step.auth === undefined ? {} : { auth: this.#case(step.auth) as RawStep['auth'] & string }),
      parameters: this.#fill(this.#parameters(step, bound, pages?.parameters ?? {}), step.id),
      ...this.#bindBody(step, bound, record),
      ...(pages === undefined ? {} : { pages: pages.walk }),
      ...(step.requires === undefined || isBare ? {} : { requires: step.requires }),
      ...this.#bindExpectations(step, bound, pages?.given ?? {}),
      ...(step.retryFrom === undefined ? {} : { retryFrom: step.retryFrom }),
      ...(step.outputs === undefined ? {} : { outputs: this.#fill(step.outputs, step.id) }),
    } as RawStep;
  }

  #parameters(step: RoleStep, { role }: RoleOperation, paging: Record<string, unknown>): Record<string, unknown> {
    const { resource, roles } = this.#binding.subject;
    const size = sizeParameter(roles.list?.list?.paging);
    if (step.limit !== undefined && size === undefined) throw new Inapplicable('limit');
    const isOfOne = role !== 'list' && role !== 'create';
    return {
      ...this.#binding.scope,
      ...(isOfOne && step.key !== undefined ? { [resource.key.parameter]: this.#key(step.key) } : {}),
      ...paging,
      ...(step.limit === undefined || size === undefined ? {} : { [size]: this.#case(step.limit) }),
      ...((this.#case(step.filter) as Record<string, unknown> | undefined) ?? {}),
    };
  }

  #bindBody(step: RoleStep, { role, operation, requestMember }: RoleOperation, record: unknown): object {
    const takesBody = role === 'create' || role === 'replace' || role === 'update';
    if (step.text !== undefined) return { requestBody: { text: step.text } };
    if (!takesBody || record === undefined) return {};
    const isKnown = typeof record === 'string' && ['$minimal', '$full', '$other'].includes(record);
    const json = isKnown ? this.#binding.made[record.slice(1) as 'minimal'] : record;
    const isJson = operation.requestBody?.content.some(({ mediaType }) => mediaType === 'application/json') === true;
    return {
      requestBody: {
        json: wrap(json, requestMember),
        ...(isJson ? {} : { mediaType: operation.requestBody?.content[0]?.mediaType }),
      },
    };
  }

  #bindExpectations(
    step: RoleStep,
    bound: RoleOperation,
    given: object,
  ): { expect?: Expectation; assume?: Assumption } {
    const { expect, assume } = step;
    const isTaken = expect?.status === '$taken';
    const isSure =
      !isTaken ||
      isCertain(step.record === '$minimal' ? this.#binding.made.minimal : this.#binding.made.full, this.#binding);
    const refusals = isTaken && !isSure ? listRefusals(bound.operation) : [];
    const done = this.#status('$done', bound.operation);
    const own =
      expect === undefined
        ? undefined
        : {
            ...this.#bindExpectation(expect, step, bound, given),
            ...(isTaken ? { status: [...done, ...refusals] } : {}),
          };
    if (refusals.length > 0) {
      const otherwise = `it needs a service that takes ${this.#words('{$resource.one}')} made from the contract; an example in the contract that the service takes helps`;
      return { ...(own === undefined ? {} : { expect: own }), assume: { status: done, otherwise } };
    }
    if (assume === undefined) return own === undefined ? {} : { expect: own };
    const { otherwise, ...rest } = assume;
    const assumed = { ...this.#bindExpectation(rest, step, bound, given), otherwise: this.#words(otherwise) };
    return { ...(own === undefined ? {} : { expect: own }), assume: assumed };
  }

  #bindExpectation(
    { status, record, records }: RoleExpectation,
    step: RoleStep,
    bound: RoleOperation,
    given: object,
  ): Expectation {
    const at = recordAt(bound);
    const keyProperty = this.#binding.subject.resource.key.property;
    const place = at === undefined ? undefined : { at, keyProperty, fields: this.#shownFields(bound) };
    if (records !== undefined && place === undefined) throw new Inapplicable('records');
    return {
      ...(status === undefined || status === '$taken' ? {} : { status: this.#status(status, bound.operation) }),
      ...(record === undefined || place === undefined || bound.success.body !== 'record'
        ? {}
        : { record: { ...place, ...(this.#fill(record, step.id) as object) } }),
      ...(records === undefined || place === undefined
        ? {}
        : { records: { ...place, ...given, ...(this.#fill(records, step.id) as object) } }),
    };
  }

  /** The fields that a client gives and this answer shows. */
  #shownFields({ success }: RoleOperation): string[] {
    const { subject, contract } = this.#binding;
    const names = success.recordPointer === undefined ? [] : readProperties(contract.document, success.recordPointer);
    const shown = new Set(names.map(({ name }) => name));
    return subject.fields.filter(({ name, isShown }) => isShown && shown.has(name)).map(({ name }) => name);
  }

  #status(word: string, operation: RoleOperation['operation']): StatusPattern[] {
    const found = listStatuses(word, operation);
    if (found === undefined) throw new Inapplicable(word);
    return found;
  }

  #key(key: string): unknown {
    if (key !== '$unknownKey') return key;
    const { kind, schemaPointer } = this.#binding.subject.resource.key;
    const made = UNKNOWN[kind];
    if (this.#binding.contract.validate.value(schemaPointer, made).length > 0) throw new Inapplicable('unknown key');
    return made;
  }

  /** Values that stand for those of the resource, within any value. */
  #fill<T>(value: T, stepId: string): T {
    const filled = this.#case(value);
    return mapTexts(filled, (text) => this.#fillText(text, stepId)) as T;
  }

  #fillText(text: string, stepId: string): string {
    const { name, resource } = this.#binding.subject;
    const [, scenario, output] = /^\$records\.([\w-]+)\.(\w+)$/.exec(text) ?? [];
    if (scenario !== undefined) return `$scenarios.${name}/records/${scenario}.outputs.${output ?? ''}`;
    const own = this.#roles.get(stepId);
    if (text === '$sent') return `$request.body${pointerTo(own?.requestMember)}`;
    if (text !== '$key') return text;
    const at = own === undefined || own.success.body !== 'record' ? undefined : recordAt(own);
    if (at !== undefined) return `$response.body#${at}/${resource.key.property}`;
    if (resource.key.givenBy === 'service') throw new Inapplicable('the key of what is created');
    return `$request.body${pointerTo([...(own?.requestMember ?? []), resource.key.property])}`;
  }

  #case(value: unknown): unknown {
    return mapTexts(value, (text) => {
      const [, name] = /^\$case\.(\w+)$/.exec(text) ?? [];
      return name === undefined ? text : this.#row?.[name];
    });
  }

  #fillTitle(title: string): string {
    return this.#words(title).replaceAll(/\{\$case\.(\w+)\}/g, (_, name: string) => String(this.#row?.[name]));
  }

  #words(text: string): string {
    const noun = nounOf(this.#binding.subject);
    const one = `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
    return text.replaceAll('{$resource.one}', one).replaceAll('{$resource.noun}', noun);
  }
}

/** What one record is called in words: `order`, `store order`. */
export function nounOf({ resource }: Subject): string {
  return resource.singular
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

/** Of a kind that a record could have, and so long or so random that none does. */
const UNKNOWN = {
  integer: 1_999_999_973,
  uuid: '3f2b8c4e-9d1a-4e7b-8c55-c0ffee0ddba1',
  text: 'no-such-record-cf',
} as const;

function pointerTo(member: readonly string[] | undefined): string {
  return member === undefined || member.length === 0 ? '' : `#${member.map((name) => `/${name}`).join('')}`;
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}
