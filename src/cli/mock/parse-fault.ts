import { parseJson } from '../../contract/document/json.js';
import { findShapeProblems } from '../../mock/faults/check-fault.js';
import type { Fault } from '../../mock/faults/fault.js';
import { suggest } from '../../suggest.js';
import type { Rule } from '../../options/rule.js';
import { isText, readDelay, several } from '../../options/rules.js';

/** A fault as the command line writes it, or what is wrong with it: a sentence without a full stop. */
export type ParsedFault = { fault: Fault } | { problem: string };

/** A fault while it is being read. */
interface Draft {
  operationId?: string;
  at?: string;
  times?: unknown;
  rate?: unknown;
  seed?: unknown;
  effect: Record<string, unknown>;
  when: Record<string, unknown>;
}

type Put = (draft: Draft, value: string) => void;

/** Words that stand alone. */
const WORDS: Readonly<Record<string, (draft: Draft) => void>> = {
  before: (draft) => (draft.at = 'before'),
  after: (draft) => (draft.at = 'after'),
  reset: ({ effect }) => (effect['reset'] = true),
  truncate: ({ effect }) => (effect['truncate'] = true),
  'invalid-json': ({ effect }) => (effect['invalidJson'] = true),
  'break-contract': ({ effect }) => (effect['breakContract'] = true),
};

/** Words that take a value after `=`. */
const SETTINGS: Readonly<Record<string, Put>> = {
  delay: ({ effect }, value) => (effect['delay'] = readDelay(value)),
  'retry-after': ({ effect }, value) => (effect['retryAfter'] = readNumber(value)),
  code: ({ effect }, value) => (effect['code'] = value),
  times: (draft, value) => (draft.times = readNumber(value)),
  rate: (draft, value) => (draft.rate = readNumber(value)),
  seed: (draft, value) => (draft.seed = readNumber(value)),
  method: ({ when }, value) => (when['method'] = value),
  path: ({ when }, value) => (when['path'] = value),
  status: ({ when }, value) => (when['status'] = readNumber(value)),
};

/** `query.status=sold`: conditions on a part of the request. */
const PARTS: Readonly<Record<string, Put>> = {
  query: ({ when }, value) => addTo(when, 'query', value),
  header: ({ when }, value) => addTo(when, 'headers', value),
};

/**
 * Reads `<operation or *>:<word>:<word>...`, such as `createPet:500:after:times=2`,
 * `*:delay=100-800`, or `listPets:503:retry-after=2:query.status=sold`; or a fault as JSON.
 */
export function parseFault(text: string): ParsedFault {
  if (text.startsWith('{')) return readFault(text);
  const [operation = '', ...words] = text.split(':');
  if (operation === '' || words.length === 0) return { problem: `${text === '' ? 'an empty text' : text} is not` };
  const draft: Draft = { effect: {}, when: {} };
  if (operation !== '*') draft.operationId = operation;
  for (const word of words) {
    const problem = readWord(draft, word);
    if (problem !== undefined) return { problem: `in ${text}, ${problem}` };
  }
  const { when, ...rest } = draft;
  const fault = Object.keys(when).length === 0 ? rest : { ...rest, when };
  return checkFault(text, fault);
}

/** A fault as JSON, as the library and the admin API take it. */
function readFault(text: string): ParsedFault {
  const parsed = parseJson(text);
  return parsed.ok ? checkFault(text, parsed.value) : { problem: `in ${text}, ${parsed.problem.message}` };
}

function checkFault(text: string, fault: unknown): ParsedFault {
  const problems = findShapeProblems(fault);
  return problems.length > 0 ? { problem: `in ${text}, ${problems.join('; ')}` } : { fault: fault as Fault };
}

function readWord(draft: Draft, word: string): string | undefined {
  if (/^\d+$/.test(word)) {
    draft.effect['status'] = Number(word);
    return undefined;
  }
  const [, part, rest] = /^(query|header)\.([^=]+=.*)$/.exec(word) ?? [];
  const [name = '', ...values] = word.split('=');
  const value = values.join('=');
  const known = Object.hasOwn(values.length === 0 ? WORDS : SETTINGS, name);
  if (part !== undefined && rest !== undefined) PARTS[part]?.(draft, rest);
  else if (!known) return describeStranger(word, name);
  else if (values.length === 0) WORDS[name]?.(draft);
  else SETTINGS[name]?.(draft, value);
  return undefined;
}

function describeStranger(word: string, name: string): string {
  const settings = Object.keys(SETTINGS).map((each) => `${each}=`);
  const known = ['a status', ...Object.keys(WORDS), ...settings, 'query.<name>=', 'header.<name>='];
  return `${word} is not one of ${known.join(', ')}${suggest(name, [...Object.keys(WORDS), ...Object.keys(SETTINGS)]).replace(/\.$/, '')}`;
}

function addTo(when: Record<string, unknown>, part: string, pair: string): void {
  const [name = '', ...value] = pair.split('=');
  when[part] = { ...(when[part] as object | undefined), [name]: value.join('=') };
}

/** A value that is not a number stays a text, which the check then refuses. */
function readNumber(text: string): unknown {
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

const EXPECTED = 'an operation or *, and what happens, such as createPet:500:after:times=2';

const FAULT: Rule<string> = {
  expected: EXPECTED,
  accepts: (value): value is string => isText(value) && 'fault' in parseFault(value),
  explain: (value) => {
    const parsed = isText(value) ? parseFault(value) : { problem: undefined };
    return `must be ${EXPECTED}${'problem' in parsed && parsed.problem !== undefined ? `; ${parsed.problem}` : ''}`;
  },
  schema: { type: 'string', pattern: String.raw`^(?:\{[\s\S]*\}|[^:{][^:]*(?::[^:]+)+)$` },
};

/** One fault, or several of a config file or the command line. */
export const FAULTS = several(FAULT, EXPECTED);

/** They were checked where they were given. */
export function readFaults(texts: readonly string[]): Fault[] {
  return texts.flatMap((text) => {
    const parsed = parseFault(text);
    return 'fault' in parsed ? [parsed.fault] : [];
  });
}
