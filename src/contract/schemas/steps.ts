import type { CodeKeywordDefinition, KeywordCxt, ValidateFunction } from 'ajv';
import { loadAjv } from '../document/load-when-needed.js';
import { IN_PLACE, listParts } from '../document/cut-circles.js';
import { parsePointer } from '../document/document.js';
import { pointerOf, referenceOf } from '../document/references.js';
import { stepInto } from './schemas.js';

/**
 * A schema that contains itself in two of its alternatives judges each level of a value twice as often as the one above
 * it: 2^63 times for a body of 600 bytes. So entering such a schema is a step, and the steps are limited by the value.
 */
const STEPS = 'steps';

/** What any value may take, and what each value in it may take beside that. */
const FREE_STEPS = 100_000;
const STEPS_PER_VALUE = 20;

class OutOfSteps extends Error {}

let left = Infinity;
const bounded = new WeakSet<ValidateFunction>();

/** Notes that a validator enters schemas that contain themselves. */
export function boundSteps(validate: ValidateFunction): ValidateFunction {
  bounded.add(validate);
  return validate;
}

/** Whether a value is valid; `undefined` if that takes more steps than its size justifies. */
export function validateWithinSteps(validate: ValidateFunction, value: unknown): boolean | undefined {
  if (!bounded.has(validate)) return validate(value);
  left = FREE_STEPS + STEPS_PER_VALUE * countValues(value);
  try {
    return validate(value);
  } catch (error) {
    // The only way out of generated code.
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  } finally {
    left = Infinity;
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inside) => sum + countValues(inside), 1);
}

export function createStepsKeyword(): CodeKeywordDefinition {
  const { _ } = loadAjv();
  return {
    keyword: STEPS,
    before: '$ref',
    code({ gen }: KeywordCxt) {
      gen.code(_`${gen.scopeValue('func', { ref: takeStep })}()`);
    },
  };
}

function takeStep(): void {
  left -= 1;
  if (left < 0) throw new OutOfSteps();
}

/** Marks, of each circle of schemas, one that is in it. Returns whether there are any. */
export function markCircles(prepared: Record<string, unknown>): boolean {
  const done = new Set<unknown>();
  const above = new Set<unknown>();
  let isMarked = false;
  // Without recursion, since a chain of references may be longer than the stack.
  const open: { node: object; next: unknown[] }[] = [];
  const enter = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || done.has(node)) return;
    if (above.has(node)) {
      Object.assign(node, { [STEPS]: true });
      isMarked = true;
      return;
    }
    above.add(node);
    const pointer = pointerOf(referenceOf(node) ?? '');
    const target = pointer ? parsePointer(pointer).reduce<unknown>(stepInto, prepared) : undefined;
    open.push({ node, next: [target, ...Object.values(node)].reverse() });
  };
  enter(prepared);
  for (let step = open.at(-1); step !== undefined; step = open.at(-1)) {
    if (step.next.length > 0) {
      enter(step.next.pop());
      continue;
    }
    open.pop();
    above.delete(step.node);
    done.add(step.node);
  }
  return isMarked;
}

/** `S: {oneOf: [A, A]}`, `A: {oneOf: [B, B]}` and so on double at each level; a real document has some hundreds. */
const MOST_WAYS = 100_000;

/**
 * Takes from each schema what it says by others of the same value if that is said in too many ways, since judging one
 * value would not end. Calls back with each.
 */
export function limitWays(
  prepared: Record<string, unknown>,
  schemas: readonly Record<string, unknown>[],
  onLimited: (schema: Record<string, unknown>) => void,
): void {
  const targetOf = (schema: object): unknown => {
    const pointer = pointerOf(referenceOf(schema) ?? '');
    return pointer ? parsePointer(pointer).reduce<unknown>(stepInto, prepared) : undefined;
  };
  const ways = new Map<Record<string, unknown>, number>();
  for (const start of schemas) {
    const open = [start];
    for (let schema = open.at(-1); schema !== undefined; schema = open.at(-1)) {
      const parts = ways.has(schema) ? [] : listParts(schema, { targetOf }).map(([, part]) => part);
      const next = parts.filter((part) => !ways.has(part));
      // There are no circles any more, but for what could not be cut.
      if (next.length > 0 && open.length <= schemas.length) {
        open.push(...next);
        continue;
      }
      open.pop();
      if (ways.has(schema)) continue;
      const sum = parts.reduce((total, part) => total + (ways.get(part) ?? 0), 1);
      ways.set(schema, sum > MOST_WAYS ? 1 : sum);
      if (sum <= MOST_WAYS) continue;
      onLimited(schema);
      for (const keyword of IN_PLACE) delete schema[keyword];
    }
  }
}
