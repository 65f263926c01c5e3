import { existsSync } from 'node:fs';
import { checkAgainstSchema, compileSchema } from '../../contract/check-against-schema.js';
import { isSecretName } from '../../redact/secret-names.js';
import { escapePointer, readDocument, type SourceDocument } from '../../contract/document/document.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import type { CredentialSource } from '../../conformance/model/options.js';
import { findSourceProblem, isSource } from '../../conformance/http/read-given.js';
import { NAME_OF_VARIABLE, TEXT } from './option-rules.js';
import { OPTIONS } from './options.js';
import {
  readConfigOptions,
  type GivenValue,
  type Source,
  type Environment,
  describeOption,
  describeOptions,
} from '../options/define-options.js';

/** A config file of the runner. */
export interface ConformanceConfig {
  document: SourceDocument;
  /** The names of its targets. */
  targets: string[];
}

type Values = Readonly<Record<string, unknown>>;

/** The config file that is read if none is named. */
export const USUAL_FILE = 'petstore-conformance.yaml';

/**
 * Reads the given file, or else the default one in the working
 * directory, if it exists. Throws a {@link PetstoreMockError} with file and
 * line for what its schema does not allow, and for a secret.
 */
export function readConformanceConfig(path: string | undefined): ConformanceConfig | undefined {
  if (path === undefined && !existsSync(USUAL_FILE)) return undefined;
  const document = readDocument(path ?? USUAL_FILE, { code: 'unusable-config', kind: 'runner' });
  if (document.root === null || document.root === undefined) return { document, targets: [] };
  const targets = Object.keys(asValues(document.at('/targets')));
  for (const target of [undefined, ...targets]) refuseSecrets(document, pointTo(target));
  for (const target of targets) refuseBareUrl(document, target);
  checkAgainstSchema(document, compileSchema(createConfigSchema()), 'unusable-config');
  return { document, targets };
}

function asValues(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

/** `staging: https://...` in place of `staging: { url: https://... }`. */
function refuseBareUrl(document: SourceDocument, target: string): void {
  const written = document.textAt(pointTo(target));
  if (written === undefined) return;
  const url = URL.canParse(written) && !hasCredentials(written) ? written : '<base URL>';
  const message = `a target must be a mapping with a url; write ${target}: { url: ${url} }.`;
  throw new PetstoreMockError('unusable-config', message, document.placeOf(pointTo(target)));
}

const SECRET_KEY = /^(?:api-?)?(?:key|token|secret|password)$|passphrase$/i;

/** Runs before the schema check, whose messages show the values. */
function refuseSecrets(document: SourceDocument, pointer: string): void {
  const refuse = (key: string, message: string): never => {
    throw new PetstoreMockError('unusable-config', message, document.placeOf(`${pointer}/${escapePointer(key)}`));
  };
  for (const [key, value] of Object.entries(asValues(document.at(pointer)))) {
    if (SECRET_KEY.test(key)) {
      const instead = /passphrase/i.test(key) ? 'cert-passphrase-env: STAGING_PASSPHRASE' : 'api-key-env: STAGING_KEY';
      refuse(key, `do not put a secret into a file that others read; name the variable that holds it: ${instead}.`);
    }
    if (key.endsWith('-env') && !(typeof value === 'string' && NAME_OF_VARIABLE.test(value))) {
      refuse(key, `${key} must be the name of an environment variable, in capitals, such as STAGING_KEY.`);
    }
    if ((key === 'url' || key === 'target') && typeof value === 'string' && hasCredentials(value)) {
      refuse(key, 'the URL has credentials; do not put them into a file that others read.');
    }
  }
  for (const [name, value] of Object.entries(asValues(document.at(`${pointer}/credentials`)))) {
    const problem = isSource(value)
      ? findSourceProblem(
          JSON.parse(
            JSON.stringify(value, (_, each: unknown) =>
              typeof each === 'object' && each !== null && Object.keys(each).join() === 'env' ? 'x' : each,
            ),
          ),
        )
      : undefined;
    const at = `${pointer}/credentials/${escapePointer(name)}`;
    if (problem !== undefined)
      throw new PetstoreMockError('unusable-config', `${name} ${problem}.`, document.placeOf(at));
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

/** The settings for one target, or for all. Only the schema knows which other keys are allowed. */
export function readConfigPart({ document }: ConformanceConfig, target: string | undefined): Source {
  return readConfigOptions(document, OPTIONS, { pointer: pointTo(target), passOver: ['targets', 'url'] });
}

/** The base URL of a target. */
export function readTargetUrl({ document }: ConformanceConfig, target: string): string {
  return String(document.at(`${pointTo(target)}/url`));
}

function pointTo(target: string | undefined): string {
  return target === undefined ? '' : `/targets/${escapePointer(target)}`;
}

/** The credentials in a part of the file, each from a variable, or with how the run gets it. */
export function readConfigCredentials(
  config: ConformanceConfig | undefined,
  target: string | undefined,
  env: Environment,
): Record<string, string | CredentialSource> {
  if (config === undefined) return {};
  const { document } = config;
  const pointer = `${pointTo(target)}/credentials`;
  const entries = Object.entries(asValues(document.at(pointer))).map(([name, value]) => {
    const where = `${formatPlace(document.placeOf(`${pointer}/${escapePointer(name)}`))}: ${name}`;
    const read = fillVariables(value, where, env);
    const problem = typeof read === 'string' ? undefined : findSourceProblem(read);
    if (problem !== undefined) throw new PetstoreMockError('unusable-config', `${where} ${problem}.`);
    return [name, read];
  });
  return Object.fromEntries(entries) as Record<string, string | CredentialSource>;
}

/** A value in which each `{ env: NAME }` is what the variable holds. */
export function fillVariables(value: unknown, where: string, env: Environment): unknown {
  if (Array.isArray(value)) return value.map((each) => fillVariables(each, where, env));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [[name, variable] = []] = entries;
  if (entries.length === 1 && name === 'env' && typeof variable === 'string') return readVariable(variable, where, env);
  return Object.fromEntries(entries.map(([key, each]) => [key, fillVariables(each, where, env)]));
}

/** Header fields in a part of the file, with values from the environment filled in. */
export function readConfigMap(
  field: 'headers',
  config: ConformanceConfig | undefined,
  target: string | undefined,
  env: Environment,
): Record<string, string> {
  if (config === undefined) return {};
  const { document } = config;
  const pointer = `${pointTo(target)}/${field}`;
  const entries = Object.entries(asValues(document.at(pointer))).map(([name, value]) => {
    if (typeof value === 'string') return [name, value];
    const where = `${formatPlace(document.placeOf(`${pointer}/${escapePointer(name)}`))}: ${name}`;
    return [name, readVariable(String(asValues(value)['env']), where, env)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The variables that a part of the file names for header fields or credentials. */
export function listNamedVariables(
  field: 'headers' | 'credentials',
  config: ConformanceConfig | undefined,
  target: string | undefined,
): Record<string, string> {
  const entries = Object.entries(asValues(config?.document.at(`${pointTo(target)}/${field}`)));
  return Object.fromEntries(
    entries
      .filter(([, value]) => typeof value !== 'string' && !isSource(value))
      .map(([name, value]) => [name, String(asValues(value)['env'])]),
  );
}

/** The value of the variable that an option in the file names. */
export function readNamedVariable(given: GivenValue | undefined, env: Environment): string | undefined {
  return given === undefined ? undefined : readVariable(String(given.value), given.where, env);
}

function readVariable(name: string, where: string, env: Environment): string {
  const value = env[name] ?? '';
  if (value === '') throw new PetstoreMockError('bad-option', `${where} names the variable ${name}, which is not set.`);
  return value;
}

/** The target with a name. Throws a {@link PetstoreMockError} with a suggestion if the file has none. */
export function checkTargetName({ document, targets }: ConformanceConfig, name: string): string {
  if (targets.includes(name)) return name;
  const known = targets.length === 0 ? 'it has none' : `it has ${targets.join(', ')}`;
  throw new PetstoreMockError(
    'bad-option',
    `there is no target ${name} in ${document.file}${suggest(name, targets)} Give a base URL, or a target of that file: ${known}.`,
  );
}

/** The JSON Schema of the runner's config file: its options, and targets, each of which may have them too. */
export function createConfigSchema(): object {
  const { target, ...options } = describeOptions(OPTIONS);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://unpkg.com/petstore-mock/spec/petstore-conformance.config.schema.json',
    title: 'Options and targets of petstore-conformance',
    description:
      'The file petstore-conformance.yaml, which is read from the working directory or given with --config. Flags and environment variables take precedence.',
    type: 'object',
    $ref: '#/$defs/options',
    unevaluatedProperties: false,
    properties: {
      $schema: { description: 'Where this schema is, for editors.', type: 'string' },
      target,
      targets: {
        description:
          'Targets by name, for --target; the settings of a target take precedence over those beside `targets`.',
        type: 'object',
        additionalProperties: { $ref: '#/$defs/target' },
      },
    },
    $defs: {
      target: {
        type: 'object',
        $ref: '#/$defs/options',
        required: ['url'],
        unevaluatedProperties: false,
        properties: {
          url: describeOption({
            help: 'the base URL with its version segment, without credentials',
            rule: TEXT,
          }),
        },
      },
      options: { type: 'object', properties: options },
    },
  };
}
