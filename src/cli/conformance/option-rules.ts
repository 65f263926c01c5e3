import { parseNumberLiteral } from '../../contract/document/json.js';
import { PetstoreMockError } from '../../errors.js';
import { show, type Rule } from '../../options/rule.js';
import { BOOLEAN, isText, oneOf, several } from '../../options/rules.js';
import { reportFormats } from '../../report/index.js';
import { suggest } from '../../suggest.js';

/** `--baseline "$BASELINE"` of a variable that is not set would else do something that nobody asked for. */
function refuseEmpty(value: unknown): string | undefined {
  return value === '' ? 'was given an empty text; leave it out, or give it a value' : undefined;
}

export const SWITCH: Rule<boolean> = { ...BOOLEAN, verb: 'takes' };

export const TEXT: Rule<string> = {
  expected: 'a text that is not empty',
  accepts: isText,
  explain: refuseEmpty,
  schema: { type: 'string', pattern: String.raw`\S`, 'x-expected': 'a text that is not empty' },
  verb: 'takes',
};

export const TEXTS = several(TEXT, TEXT.expected, { least: 0 });

export const PATH: Rule<string> = { ...TEXT, isPath: true };

export const PATHS = several(PATH, PATH.expected, { least: 0 });

export const SECRET: Rule<string> = { ...TEXT, isSecret: true };

const MOST = 999_999_999;

/** From 0, with at most three decimals. */
export const NUMBER: Rule<number> = {
  expected: 'a number from 0',
  accepts: (value): value is number => typeof value === 'number' && value >= 0 && value <= MOST,
  explain: (value) =>
    refuseEmpty(value) ??
    (typeof value === 'number' ? undefined : `takes a number from 0${describeUnit(value)}, not ${show(value)}`),
  schema: { type: 'number', minimum: 0, maximum: MOST },
  read: (text) => (/^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : text),
  verb: 'takes',
};

/** `10s`, `90%`, `5/s`: the number is right, and what follows it is known. */
function describeUnit(value: unknown): string {
  return /^[\d.]+\s*(?:m?s|sec|%|\/s)$/.test(String(value)) ? ' without a unit' : '';
}

export const POSITIVE: Rule<number> = {
  ...NUMBER,
  accepts: (value): value is number => NUMBER.accepts(value) && value > 0,
  explain: (value) => (value === 0 ? 'takes a number above 0' : NUMBER.explain?.(value)),
  schema: { type: 'number', exclusiveMinimum: 0, maximum: MOST },
};

export function wholeFrom(least: number): Rule<number> {
  return {
    ...NUMBER,
    expected: `a whole number from ${least}`,
    accepts: (value): value is number => NUMBER.accepts(value) && Number.isInteger(value) && value >= least,
    schema: { type: 'integer', minimum: least, maximum: MOST },
  };
}

export const PERCENT: Rule<number> = {
  ...NUMBER,
  expected: 'a percentage up to 100',
  accepts: (value): value is number => NUMBER.accepts(value) && value <= 100,
  schema: { type: 'number', minimum: 0, maximum: 100 },
};

export const INT64: Rule<number | bigint> = {
  expected: 'an integer',
  accepts: (value): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value),
  explain: refuseEmpty,
  schema: { type: ['integer', 'string'], pattern: String.raw`^-?\d+$` },
  read: (text) => {
    const value = parseNumberLiteral(text);
    return INT64.accepts(value) ? value : text;
  },
  isTextInFile: true,
  verb: 'takes',
};

export const INCONCLUSIVE: Rule<'inconclusive'> = { ...oneOf(['inconclusive']), explain: refuseEmpty, verb: 'takes' };

const FORMATS = Object.keys(reportFormats);

/** One format, or on the command line several with commas. */
const FORMAT: Rule<string> = {
  expected: 'formats of reports',
  accepts: (value): value is string => typeof value === 'string' && findUnknownFormat(value) === undefined,
  explain: (value) => {
    const unknown = findUnknownFormat(String(value)) ?? '';
    const named = unknown === '' ? 'of an empty name' : unknown;
    return (
      refuseEmpty(value) ??
      `takes formats, and there is no format ${named}${suggest(unknown, FORMATS)} Known are ${FORMATS.join(', ')}`
    );
  },
  schema: { enum: FORMATS },
};

function findUnknownFormat(written: string): string | undefined {
  return splitFormats(written).find((name) => !FORMATS.includes(name));
}

export function splitFormats(written: string): string[] {
  return written.split(',').map((name) => name.trim());
}

export const REPORTS = several(FORMAT, FORMAT.expected);

const HEADER_LINE = /^([!#$%&'*+\-.^_`|~\w]+):\s*(.*)$/;

export const HEADER_LINES = several<string>(
  {
    expected: 'header fields',
    accepts: (value): value is string => typeof value === 'string' && HEADER_LINE.test(value),
    explain: (value) => refuseEmpty(value) ?? 'is written "Name: value"',
    schema: { type: 'string' },
    isSecret: true,
  },
  'header fields',
);

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

/** Header fields by name, of which one may have its value from a variable. */
export const HEADERS: Rule<Readonly<Record<string, unknown>>> = {
  expected: 'header fields by name',
  accepts: (value): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null,
  schema: {
    type: 'object',
    additionalProperties: {
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['env'],
          additionalProperties: false,
          properties: {
            env: { description: 'The environment variable that holds the value.', ...VARIABLE_NAME.schema },
          },
        },
      ],
    },
  },
  isSecret: true,
};

export function bad(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', message);
}
