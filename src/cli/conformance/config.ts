import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';
import { isSecretName } from '../../redact/secret-names.js';
import { escapePointer, readDocument, type SourceDocument } from '../../contract/document/document.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { OPTIONS } from './options.js';
import type { Given, Source } from './sources.js';
import type { Environment } from '../options/environment.js';

/** A config file of the runner. */
export interface ConformanceConfig {
  document: SourceDocument;
  /** The names of its targets. */
  targets: string[];
}

type Values = Readonly<Record<string, unknown>>;

const USUAL_FILE = 'petstore-conformance.yaml';
const SCHEMA_FILE = 'spec/petstore-conformance.config.schema.json';

/**
 * Reads the file that was asked for, else the usual one of the working
 * directory when it is there. Throws a {@link PetstoreMockError} with file and
 * line for what its schema does not allow, and for a secret.
 */
export function readConformanceConfig(path: string | undefined): ConformanceConfig | undefined {
  if (path === undefined && !existsSync(USUAL_FILE)) return undefined;
  const document = readDocument(path ?? USUAL_FILE, { code: 'unusable-config', kind: 'runner' });
  if (document.root === null || document.root === undefined) return { document, targets: [] };
  const targets = Object.keys(asValues(document.at('/targets')));
  for (const pointer of ['', ...targets.map((name) => `/targets/${escapePointer(name)}`)]) {
    refuseSecrets(document, pointer);
  }
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-config');
  return { document, targets };
}

function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

const NAME_OF_VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
const SECRET_KEY = /^(?:api-?)?(?:key|token|secret|password)$|passphrase$/i;

/** Before the schema is asked, whose messages show what they found. */
function refuseSecrets(document: SourceDocument, pointer: string): void {
  const refuse = (key: string, message: string): never => {
    throw new PetstoreMockError('unusable-config', message, document.placeOf(`${pointer}/${escapePointer(key)}`));
  };
  for (const [key, value] of Object.entries(asValues(document.at(pointer)))) {
    if (SECRET_KEY.test(key)) {
      const instead = /passphrase/i.test(key) ? 'cert-passphrase-env: STAGING_PASSPHRASE' : 'api-key-env: STAGING_KEY';
      refuse(key, `a secret does not belong in a file that others read; name the variable that holds it: ${instead}.`);
    }
    if (key.endsWith('-env') && !(typeof value === 'string' && NAME_OF_VARIABLE.test(value))) {
      refuse(key, `${key} is the name of an environment variable in capitals, such as STAGING_KEY.`);
    }
    if ((key === 'url' || key === 'target') && typeof value === 'string' && hasCredentials(value)) {
      refuse(key, 'the URL has credentials, which do not belong in a file that others read; take them out.');
    }
  }
  for (const [name, value] of Object.entries(asValues(document.at(`${pointer}/headers`)))) {
    if (isSecretName(name) && typeof value !== 'object') {
      refuse(
        'headers',
        `the value of ${name} is a secret; name the variable that holds it: ${name}: { env: GATEWAY_KEY }.`,
      );
    }
  }
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** The part of a config file that counts for a target: `''` is what stands outside of `targets`. */
export function readConfigPart({ document }: ConformanceConfig, target: string | undefined): Source {
  const pointer = target === undefined ? '' : `/targets/${escapePointer(target)}`;
  const given = Object.entries(asValues(document.at(pointer))).map(([key, value]) => {
    const texts = [value].flat().map((each) => resolvePath(key, String(each), document.file));
    return [key, { texts, where: describePlace(document, `${pointer}/${escapePointer(key)}`, key) }] as const;
  });
  return new Map<string, Given>(given);
}

function describePlace(document: SourceDocument, pointer: string, key: string): string {
  return `${formatPlace(document.placeOf(pointer))}: ${key}`;
}

/** A path in the file is meant from where the file stands. */
function resolvePath(key: string, text: string, file: string): string {
  const isPath = OPTIONS.find(({ name }) => name === key)?.isPath === true;
  return isPath && !isAbsolute(text) ? join(dirname(file), text) : text;
}

/** The header fields that a part of the file has, those from the environment filled in. */
export function readConfigHeaders(
  { document }: ConformanceConfig,
  target: string | undefined,
  env: Environment,
): Record<string, string> {
  const pointer = `${target === undefined ? '' : `/targets/${escapePointer(target)}`}/headers`;
  const entries = Object.entries(asValues(document.at(pointer))).map(([name, value]) => {
    if (typeof value === 'string') return [name, value];
    const where = describePlace(document, `${pointer}/${escapePointer(name)}`, name);
    return [name, readVariable(String(asValues(value)['env']), where, env)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The value of a variable that the file names. */
export function readVariable(name: string, where: string, env: Environment): string {
  const value = env[name] ?? '';
  if (value === '') throw new PetstoreMockError('bad-option', `${where} names the variable ${name}, which is not set.`);
  return value;
}

/** The target that a word names. Throws a {@link PetstoreMockError} with a suggestion when the file has none of that name. */
export function checkTargetName({ document, targets }: ConformanceConfig, name: string): string {
  if (targets.includes(name)) return name;
  const known = targets.length === 0 ? 'it has none' : `it has ${targets.join(', ')}`;
  throw new PetstoreMockError(
    'bad-option',
    `there is no target ${name} in ${document.file}${suggest(name, targets)} Give a base URL, or a target of that file: ${known}.`,
  );
}
