import type { Violation } from '../../contract/schemas/violation.js';

/** What is wrong, and where: the part of the request and the steps to it. */
interface Located {
  loc: (string | number)[];
  msg: string;
  type: string;
}

/**
 * FastAPI lists what is wrong with a request as `{ loc: ['body', 'name'], msg, type }`, and its clients put each message
 * beside the field in `loc`. Returns whether the body has such a list and takes this.
 */
export function fillLocations(
  body: unknown,
  { message, violations }: { message: string; violations: readonly Violation[] },
  isRight: () => boolean,
): boolean {
  const found = findList(body, 0);
  if (found === undefined) return false;
  const { holder, key, item } = found;
  const before = holder[key];
  const told = violations.length === 0 ? [{ loc: ['body'], msg: message, type: OTHER }] : violations.map(locate);
  holder[key] = told.map((each) => Object.assign({}, item, each));
  if (isRight()) return true;
  holder[key] = before;
  return false;
}

interface FoundList {
  holder: Record<string, unknown>;
  key: string;
  /** The first item. */
  item: object;
}

const MOST_DEEP_LIST = 3;

function findList(value: unknown, depth: number): FoundList | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MOST_DEEP_LIST) return undefined;
  const holder = value as Record<string, unknown>;
  for (const [key, inside] of Object.entries(holder)) {
    const item: unknown = Array.isArray(inside) ? inside[0] : undefined;
    if (typeof item === 'object' && item !== null && Array.isArray((item as { loc?: unknown }).loc))
      return { holder, key, item };
    const below = findList(inside, depth + 1);
    if (below !== undefined) return below;
  }
  return undefined;
}

function locate({ part, pointer, rule, message }: Violation): Located {
  const steps = pointer.split('/').slice(1);
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return {
    loc: [part, ...names.map((name) => (/^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : name))],
    msg: message,
    type: TYPES[rule] ?? OTHER,
  };
}

/** The words of Pydantic, by the keyword that is broken. */
const TYPES: Readonly<Record<string, string>> = {
  required: 'missing',
  enum: 'enum',
  type: 'type_error',
  pattern: 'string_pattern_mismatch',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minItems: 'too_short',
  maxItems: 'too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  exclusiveMinimum: 'greater_than',
  exclusiveMaximum: 'less_than',
  additionalProperties: 'extra_forbidden',
};
const OTHER = 'value_error';
