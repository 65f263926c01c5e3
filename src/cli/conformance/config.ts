import { existsSync } from 'node:fs';
import { checkAgainstSchema, compileSchema } from '../../contract/check-against-schema.js';
import { asObject } from '../../contract/document/plain.js';
import { isSecretName } from '../../redact/redactor.js';
import { escapePointer, readDocument, type SourceDocument } from '../../contract/document/document.js';
import { formatPlace, PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { findSourceProblem, isSource } from '../../conformance/http/request-credentials.js';
import { NAME_OF_VARIABLE, TEXT } from './option-rules.js';
import { OPTIONS } from './options.js';
import type { GivenValue, Source, Environment } from '../options/define-options.js';
import { bad, readConfigOptions, describeOption, describeOptions } from '../options/define-options.js';

export type ConformanceConfig = { document: SourceDocument; targets: string[] };

export const USUAL_FILE = 'petstore-conformance.yaml';

/** Reads the given file, or the default one if it exists. Throws with file and line for what it may not have. */
export function readConformanceConfig(path: string | undefined): ConformanceConfig | undefined {
  if (path === undefined && !existsSync(USUAL_FILE)) return undefined;
  const document = readDocument(path ?? USUAL_FILE, { code: 'unusable-config', kind: 'runner' });
  if (document.root === null || document.root === undefined) return { document, targets: [] };
  const targets = Object.keys(asObject(document.at('/targets')));
  for (const target of [undefined, ...targets]) refuseSecrets(document, pointTo(target));
  for (const target of targets) refuseBareUrl(document, target);
  checkAgainstSchema(document, compileSchema(createConfigSchema()), 'unusable-config');
  return { document, targets };
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
  for (const [key, value] of Object.entries(asObject(document.at(pointer)))) {
    if (SECRET_KEY.test(key)) {
      const instead = /passphrase/i.test(key) ? 'cert-passphrase-env: STAGING_PASSPHRASE' : 'api-key-env: STAGING_KEY';
      refuse(key, `do not put a secret into a file that others read; name the variable that holds it: ${instead}.`);
    }
    if (key.endsWith('-env') && !(typeof value === 'string' && NAME_OF_VARIABLE.test(value)))
      refuse(key, `${key} must be the name of an environment variable, in capitals, such as STAGING_KEY.`);
    if ((key === 'url' || key === 'target') && typeof value === 'string' && hasCredentials(value))
      refuse(key, 'the URL has credentials; do not put them into a file that others read.');
  }
  for (const [name, value] of Object.entries(asObject(document.at(`${pointer}/credentials`)))) {
    // With any text in place of each variable, to judge it before they are read.
    const blank = JSON.stringify(value, (_, each: unknown) =>
      Object.keys(asObject(each)).join() === 'env' ? 'x' : each,
    );
    const problem = isSource(value) ? findSourceProblem(JSON.parse(blank)) : undefined;
    const at = `${pointer}/credentials/${escapePointer(name)}`;
    if (problem !== undefined)
      throw new PetstoreMockError('unusable-config', `${name} ${problem}.`, document.placeOf(at));
  }
  for (const [name, value] of Object.entries(asObject(document.at(`${pointer}/headers`)))) {
    const instead = `name the variable that holds it: ${name}: { env: GATEWAY_KEY }.`;
    if (isSecretName(name) && typeof value !== 'object')
      refuse('headers', `the value of ${name} is a secret; ${instead}`);
  }
}

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** The settings for one target, or for all. Only the schema knows which other keys are allowed. */
export const readConfigPart = ({ document }: ConformanceConfig, target: string | undefined): Source =>
  readConfigOptions(document, OPTIONS, { pointer: pointTo(target), passOver: ['targets', 'url'] });

export const readTargetUrl = ({ document }: ConformanceConfig, target: string): string =>
  String(document.at(`${pointTo(target)}/url`));

const pointTo = (target: string | undefined): string =>
  target === undefined ? '' : `/targets/${escapePointer(target)}`;

/** A header field, or what to send for a security scheme, as the file has it. */
type ConfigEntry = { name: string; value: unknown; where: string };

/** Header fields or credentials in the file, those for all targets first, so that the last of a name counts. */
export function listEntries(
  config: ConformanceConfig | undefined,
  field: 'headers' | 'credentials',
  target: string | undefined,
): ConfigEntry[] {
  if (config === undefined) return [];
  const { document } = config;
  return (target === undefined ? [undefined] : [undefined, target]).flatMap((part) => {
    const pointer = `${pointTo(part)}/${field}`;
    return Object.entries(asObject(document.at(pointer))).map(([name, value]) => {
      const place = document.placeOf(`${pointer}/${escapePointer(name)}`);
      return { name, value, where: `${formatPlace(place)}: ${name}` };
    });
  });
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

/** The value of the variable that an option in the file names. */
export const readNamedVariable = (given: GivenValue | undefined, env: Environment): string | undefined =>
  given === undefined ? undefined : readVariable(String(given.value), given.where, env);

function readVariable(name: string, where: string, env: Environment): string {
  const value = env[name] ?? '';
  if (value === '') throw bad(`${where} names the variable ${name}, which is not set.`);
  return value;
}

/** The target with a name. Throws a {@link PetstoreMockError} with a suggestion if the file has none. */
export function checkTargetName({ document, targets }: ConformanceConfig, name: string): string {
  if (targets.includes(name)) return name;
  const known = targets.length === 0 ? 'it has none' : `it has ${targets.join(', ')}`;
  throw bad(
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
          url: describeOption({ help: 'the base URL with its version segment, without credentials', rule: TEXT }),
        },
      },
      options: { type: 'object', properties: options },
    },
  };
}
