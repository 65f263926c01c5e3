import { show, type Rule } from '../../options/rule.js';
import { BOOLEAN, oneOf, several, text } from '../../options/rules.js';
import { CONSENTS, type Consent } from '../../conformance/engine/run.js';
import type { ExpectedHere } from '../../conformance/model/options.js';
import { findExpectProblem } from '../../conformance/engine/baseline.js';
import type { Shard } from '../../conformance/model/result.js';
import { reportFormats } from '../../report/index.js';
import { suggest } from '../../suggest.js';

/** Otherwise, `--baseline "$BASELINE"` with an unset variable would do something unintended. */
const refuseEmpty = (value: unknown): string | undefined =>
  value === '' ? 'is empty; leave it out, or give it a value' : undefined;

export const SWITCH: Rule<boolean> = { ...BOOLEAN, verb: 'takes' };
const WORDS = text('a non-empty text');

export const TEXT: Rule<string> = {
  ...WORDS,
  explain: refuseEmpty,
  schema: { ...WORDS.schema, 'x-expected': WORDS.expected },
  verb: 'takes',
};

export const TEXTS = several(TEXT, TEXT.expected, { least: 0 });
export const PATH: Rule<string> = { ...TEXT, isPath: true };
export const PATHS = several(PATH, PATH.expected, { least: 0 });
export const SECRET: Rule<string> = { ...TEXT, isSecret: true };
const MOST = 999_999_999;

function number(expected: string, accepts: (value: number) => boolean, schema: object): Rule<number> {
  return {
    expected,
    accepts: (value): value is number => typeof value === 'number' && value >= 0 && value <= MOST && accepts(value),
    explain: (value) =>
      refuseEmpty(value) ??
      (typeof value === 'number'
        ? undefined
        : `takes a number from 0${/^[\d.]+\s*(?:m?s|sec|%|\/s)$/.test(String(value)) ? ' without a unit' : ''}, not ${show(value)}`),
    schema: { type: 'number', maximum: MOST, ...schema },
    read: (digits) => (/^\d{1,9}(\.\d{1,3})?$/.test(digits) ? Number(digits) : digits),
    verb: 'takes',
  };
}

export const NUMBER = number('a number from 0', () => true, { minimum: 0 });

export const POSITIVE: Rule<number> = {
  ...number('a number above 0', (value) => value > 0, { exclusiveMinimum: 0 }),
  explain: (value) => (value === 0 ? 'takes a number above 0' : NUMBER.explain?.(value)),
};

export const PERCENT = number('a percentage up to 100', (value) => value <= 100, { minimum: 0, maximum: 100 });

export function wholeFrom(least: number): Rule<number> {
  const accepts = (value: number): boolean => Number.isInteger(value) && value >= least;
  return number(`a whole number from ${least}`, accepts, { type: 'integer', minimum: least });
}

export const INCONCLUSIVE: Rule<'inconclusive'> = { ...oneOf(['inconclusive']), explain: refuseEmpty, verb: 'takes' };
export const SKIP: Rule<'skip'> = { ...oneOf(['skip']), explain: refuseEmpty, verb: 'takes' };
const FORMATS = Object.keys(reportFormats);

/** One format; on the command line, also several separated by commas. */
const FORMAT: Rule<string> = {
  expected: 'formats of reports',
  accepts: (value): value is string => typeof value === 'string' && findUnknownFormat(value) === undefined,
  explain: (value) => {
    const unknown = findUnknownFormat(String(value)) ?? '';
    const named = unknown === '' ? 'of an empty name' : unknown;
    return (
      refuseEmpty(value) ??
      `must list formats; there is no format ${named}${suggest(unknown, FORMATS)} The formats are ${FORMATS.join(', ')}`
    );
  },
  schema: { enum: FORMATS },
};

const findUnknownFormat = (written: string): string | undefined =>
  splitFormats(written).find((name) => !FORMATS.includes(name));

export const splitFormats = (written: string): string[] => written.split(',').map((name) => name.trim());
export const REPORTS = several(FORMAT, FORMAT.expected);

/** What the run may do; on the command line, several separated by commas. */
const CONSENT: Rule<string> = {
  expected: 'create, update or remove',
  accepts: (value): value is string => typeof value === 'string' && splitFormats(value).every(isConsent),
  explain: (value) => refuseEmpty(value) ?? `must list ${CONSENTS.join(', ')}, not ${show(value)}`,
  schema: { enum: [...CONSENTS] },
};

const isConsent = (word: string): word is Consent => (CONSENTS as readonly string[]).includes(word);
export const readConsents = (written: readonly string[]): Consent[] => written.flatMap(splitFormats).filter(isConsent);
export const MAY = several(CONSENT, CONSENT.expected);
const SHARD_PARTS = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/;

export const SHARD: Rule<string> = {
  expected: 'a part of a whole, such as 2/4 for the second of four',
  accepts: (value): value is string => {
    const [, index, of] = SHARD_PARTS.exec(String(value)) ?? [];
    return typeof value === 'string' && Number(index) <= Number(of);
  },
  explain: refuseEmpty,
  schema: { type: 'string', pattern: SHARD_PARTS.source },
  verb: 'takes',
};

export function readShard(written: string): Shard {
  const [index = 1, of = 1] = written.split('/').map(Number);
  return { index, of };
}

const HEADER_LINE = /^([!#$%&'*+\-.^_`|~\w]+):\s*(.*)$/;

const HEADER: Rule<string> = {
  expected: 'header fields',
  accepts: (value): value is string => typeof value === 'string' && HEADER_LINE.test(value),
  explain: (value) => refuseEmpty(value) ?? 'must be written as "Name: value"',
  schema: { type: 'string' },
  isSecret: true,
};

export const HEADER_LINES = several(HEADER, HEADER.expected);

export function splitHeader(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
  return [name, value];
}

export const NAME_OF_VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

export const VARIABLE_NAME: Rule<string> = {
  expected: 'the name of an environment variable in capitals, such as STAGING_KEY',
  accepts: (value): value is string => typeof value === 'string' && NAME_OF_VARIABLE.test(value),
  schema: { type: 'string', pattern: NAME_OF_VARIABLE.source },
  isSecret: true,
};

const ENV = { description: 'The environment variable that holds the value.', ...VARIABLE_NAME.schema };
const FROM_VARIABLE = { type: 'object', required: ['env'], additionalProperties: false, properties: { env: ENV } };

/** Header fields by name; a value may come from a variable. */
export const HEADERS: Rule<object> = {
  expected: 'header fields by name',
  accepts: (value) => typeof value === 'object' && value !== null,
  schema: { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, FROM_VARIABLE] } },
  isSecret: true,
};

const TEXT_OR_VARIABLE = { anyOf: [{ type: 'string' }, FROM_VARIABLE] };
const RENEW = {
  description: 'When it is got anew: on a 401 or when its time is over, or never.',
  enum: ['on-401', 'never'],
  default: 'on-401',
};

const closed = (required: string, properties: object): object => ({
  type: 'object',
  required: [required],
  additionalProperties: false,
  properties,
});

/** How a run gets a credential by itself; `model/credential-source.ts` says what each member means. */
const CREDENTIAL_SOURCES = [
  closed('login', {
    login: closed('path', {
      path: { description: 'Below the base URL, or a URL.', type: 'string', pattern: '^(/|[Hh][Tt][Tt][Pp][Ss]?://)' },
      method: { description: 'Default: POST.', type: 'string' },
      body: { description: 'Sent as JSON, or as a form where the contract takes nothing else.' },
      form: { description: 'Sent as a form.', type: 'object' },
      headers: { type: 'object', additionalProperties: TEXT_OR_VARIABLE },
      take: {
        description: 'Where the response has the credential: a JSON Pointer, a header field or a cookie.',
        anyOf: [
          { type: 'string', pattern: '^(/|$)' },
          closed('header', { header: { type: 'string' } }),
          closed('cookie', { cookie: { type: 'string' } }),
        ],
      },
      prefix: { description: 'What stands before it where it is sent, such as Token.', type: 'string' },
    }),
    renew: RENEW,
  }),
  closed('command', { command: { description: 'Prints the credential.', type: 'string' }, renew: RENEW }),
  closed('oauth2', {
    oauth2: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        ['client_id', 'client_secret', 'username', 'password', 'scope', 'token_url'].map((name) => [
          name,
          TEXT_OR_VARIABLE,
        ]),
      ),
    },
    renew: RENEW,
  }),
];

/** Credentials by the name of a security scheme, each from a variable, or with how the run gets it. */
export const CREDENTIALS_IN_FILE: Rule<object> = {
  expected:
    'credentials by the name of a security scheme, each from a variable, or got by a login, a command or OAuth 2',
  accepts: (value) => typeof value === 'object' && value !== null,
  schema: { type: 'object', additionalProperties: { anyOf: [FROM_VARIABLE, ...CREDENTIAL_SOURCES] } },
  isSecret: true,
};

const oneOrMore = (item: object): object => ({ anyOf: [item, { type: 'array', items: item }] });

/** What is expected beside what the contract says; `model/expected-here.ts` says what each member means. */
export const EXPECT: Rule<readonly ExpectedHere[]> = {
  expected: 'a list of what is fine here, each with a reason',
  accepts: (value): value is readonly ExpectedHere[] => findExpectProblem(value) === undefined,
  explain: findExpectProblem,
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['reason'],
      additionalProperties: false,
      properties: {
        operation: { description: 'Its operationId, or method and path.', type: 'string' },
        path: { description: 'The path of the contract; * stands for anything.', type: 'string' },
        status: {
          description: 'Statuses that are fine here.',
          ...oneOrMore({ anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[1-5](\\d\\d|[Xx][Xx])$' }] }),
        },
        off: { description: 'Checks that are switched off.', ...oneOrMore({ type: 'string' }) },
        formats: { description: 'Formats that are only noted.', ...oneOrMore({ type: 'string' }) },
        reason: { description: 'Why, for whoever reads the report.', type: 'string', pattern: String.raw`\S` },
      },
    },
  },
};

export const PAIR: Rule<string> = {
  expected: '<name>=<value>, with the name of a parameter of the contract',
  accepts: (value): value is string => typeof value === 'string' && /^[^=]+=/.test(value),
  schema: { type: 'string', pattern: '^[^=]+=' },
};
