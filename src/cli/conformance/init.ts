import { statSync } from 'node:fs';
import type { ConformanceOptions } from '../../conformance/model/options.js';
import { readSubcommand } from '../options/command-line.js';
import { bad, defineOptions } from '../options/define-options.js';
import { openFileOutput, type FileOutput } from '../output/file-output.js';
import { USUAL_FILE } from './config.js';
import { count } from '../../report/report-format.js';
import { listFirst } from '../../report/summarize.js';
import { nameProgram, isSecretPair, writePair } from './describe-command.js';
import { CONTRACT_OPTIONS, type ContractOptions } from './other-commands.js';
import { PATH, SWITCH } from './option-rules.js';
import { OPTIONS } from './options.js';
import { relative, resolve, dirname } from 'node:path';
import { loadYaml } from '../../contract/document/load-when-needed.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { Contract } from '../../contract/contract.js';
import { readProperties } from '../../contract/operations/properties.js';
import { isWebUrl } from '../../contract/remote/read-remote.js';
import type { DryRun, TestedResource } from '../../conformance/product/plan-run.js';
import { describeSchemes } from '../../conformance/http/request-credentials.js';

const INIT_OPTIONS = defineOptions({
  ...CONTRACT_OPTIONS,
  parameter: OPTIONS.parameter,
  output: {
    value: '<path>',
    help: 'the file to write; - prints it',
    rule: PATH,
    from: ['flag'],
    otherwise: USUAL_FILE,
  },
  stdout: { help: 'print the file instead of writing it, as --output - does', rule: SWITCH, from: ['flag'] },
  force: { help: 'replace the file if it exists', rule: SWITCH, from: ['flag'] },
});

interface InitCommand extends ContractOptions, Pick<ConformanceOptions, 'parameter'> {
  spec: string;
  program: string;
  /** `undefined` if the file is printed. */
  output: FileOutput | undefined;
}

/** Reads the arguments after `init`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readInitCommand(argv: readonly string[]): InitCommand {
  const { words, values } = readSubcommand(
    {
      name: 'petstore-conformance init',
      description:
        'Writes a config file for a contract, and says what a run with it tests, what it cannot test, and why.',
      words: [['[-]', 'prints the file instead of writing it']],
      options: INIT_OPTIONS,
      notes: NOTES,
      complete: (message) => `init: ${message}; give the contract with --spec.`,
    },
    argv,
  );
  const [word] = words;
  if (word !== undefined && word !== '-') throw bad(`init: ${word} is not an option; did you mean --spec ${word}?`);
  const { output, stdout, force, spec, ...rest } = values;
  if (spec === undefined) throw bad('init: there is no contract; give it with --spec, such as --spec api.yaml.');
  const isPrinted = word === '-' || stdout || output === '-';
  const program = nameProgram(process.argv[1] ?? '', process.cwd(), process.env);
  if (isPrinted) return { ...rest, spec, program, output: undefined };
  const path = output ?? USUAL_FILE;
  if (!force && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    throw bad(`init: ${path} exists; --force replaces it, --output names another file, and --stdout prints it.`);
  return { ...rest, spec, program, output: openFileOutput(path) };
}

const NOTES = `
Exit codes: 0 the file was written; 2 wrong usage, a contract that cannot be used
or of which nothing can be tested, or a file that exists.

Examples:
  petstore-conformance init --spec api.yaml
  petstore-conformance init --spec api.yaml --stdout > ci/conformance.yaml
`;

/** The config file, with what else it could say as comments. */
export function formatConfig({ contract, tested }: DryRun, command: InitCommand): string {
  const { spec, resources, records, parameter = [], output } = command;
  const place = (path: string): string => relative(dirname(resolve(output?.path ?? 'here')), resolve(path)) || path;
  const plain = parameter.filter((line) => !isSecretPair(line));
  const targets: Record<string, { url: string }> = { local: { url: `http://127.0.0.1:4010${contract.basePath}` } };
  for (const server of asList(contract.document.at('/servers')).map(asObject)) {
    const { url } = server;
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || url.includes('{') || !URL.canParse(url)) continue;
    const { hostname } = new URL(url);
    // `staging` for staging.example.com.
    const [first = hostname] = hostname.split('.');
    const isLocal = /^(?:localhost|127\.|\[::1\])/.test(hostname);
    const name = isLocal ? 'local' : Object.hasOwn(targets, first) ? hostname : first;
    targets[name] = { url: url.replace(/\/+$/, '') };
  }
  const settings = {
    spec: isWebUrl(spec) ? spec : place(spec),
    resources: resources === undefined ? undefined : place(resources),
    records: records === undefined ? undefined : place(records),
    parameter: plain.length === 0 ? undefined : plain,
    'allow-outside-refs': command.allowOutsideRefs || undefined,
    'allow-remote-refs': command.allowRemoteRefs || undefined,
    'allow-private-hosts': command.allowPrivateHosts || undefined,
    targets,
  };
  const only = tested[0] === undefined ? '' : `# only: ['${tested[0].name}/*']                  # one resource alone\n`;
  return `${HEAD}${loadYaml().stringify(settings, { lineWidth: 0 })}
# What a line more would do:
${only}# skip: ['*/gaps/*']                     # leave out what the contract does not decide
# may: [create, update, remove]          # away from this machine: change and remove records of its own
# keep: true                             # do not remove what the run created
# records: records.yaml                  # records that the service takes, where the contract alone does not tell
# scenarios: [conformance]               # a folder of scenarios of your own
# profile: staging.profile.yaml          # fail when the service changes where the contract is silent
# report: [pretty, junit]
# report-dir: reports
${listCredentials(contract)}`;
}

const HEAD = `# yaml-language-server: $schema=./node_modules/petstore-mock/spec/petstore-conformance.config.schema.json
# petstore-conformance --target <name> reads this file. The key is in the environment: PETSTORE_API_KEY,
# or for each target in the variable that api-key-env names. docs/options.md has every option.
`;

/** A scheme other than a bearer key may take something else, and a token without a scope shows that it is needed. */
function listCredentials(contract: Contract): string {
  const { securitySchemes } = contract;
  const login = findLogin(contract);
  const bearer = login === undefined ? undefined : securitySchemes.find(({ kind }) => kind === 'bearer')?.name;
  const named = securitySchemes.length < 2 && bearer === undefined ? [] : securitySchemes.map(({ name }) => name);
  const scoped = securitySchemes.flatMap(({ name }) => {
    const asked = contract.operations.flatMap(({ scopes }) => scopes.flatMap((each) => each[name] ?? []));
    return asked.length === 0 ? [] : [`'${name}[${asked[0] ?? ''}]'`];
  });
  const lines = [...named, ...scoped].map(
    (name) => `#   ${name}: ${name === bearer ? login : `{ env: ${nameVariable(name)} }`}`,
  );
  if (lines.length === 0) return '';
  const why = scoped.length === 0 ? '' : '; a token with some scopes tests whether the others are required';
  return `# credentials:                           # credentials of each scheme, if not the key${why}\n${lines.join('\n')}\n`;
}

function nameVariable(name: string): string {
  return name
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toUpperCase();
}

const SECRET = /password|passwd|passcode|secret/i;
const TOKEN = /^(?:access_?token|id_?token|auth_?token|bearer_?token|token|jwt)$/i;

function findLogin({ operations, document }: Contract): string | undefined {
  for (const { method, path, requestBody, responses } of operations) {
    const fields = [...(requestBody?.fields ?? [])];
    if (method !== 'POST' || path.includes('{') || !fields.some((field) => SECRET.test(field))) continue;
    const shown = responses
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ content }) => content)
      .flatMap(({ schemaPointer }) => (schemaPointer === undefined ? [] : readProperties(document, schemaPointer)));
    const token = shown.find(({ name }) => TOKEN.test(name));
    if (token === undefined) continue;
    const names = fields.filter((field) => SECRET.test(field) || /user|name|login|mail|client|account/i.test(field));
    const body = names.map((field) => `${field}: { env: LOGIN_${nameVariable(field)} }`).join(', ');
    return `{ login: { path: ${path}, body: { ${body} }, take: /${token.name} } }`;
  }
  return undefined;
}

const MOST = 20;
const cutRows = (lines: readonly string[]): string[] => listFirst(lines, MOST, (left) => `  and ${left} more`);

export function formatOutlook(outlook: DryRun, { output, spec, program, parameter = [] }: InitCommand): string {
  const { contract, tested, untested, unmade, scenarios, requests, gaps, notes } = outlook;
  const { path } = output ?? {};
  const wrote = path === undefined ? '' : `wrote ${path}, for `;
  const secret = parameter.filter(isSecretPair).map((line) => ` --parameter ${writePair(line, '=')}`);
  const config = path === undefined || path === USUAL_FILE ? '' : `--config ${path} `;
  const run = (only: string): string => `  ${program} ${config}--target local${only}${secret.join('')}`;
  const below = (head: string, rows: readonly string[]): string[] => (rows.length === 0 ? [] : ['', head, ...rows]);
  const counted = `${count(outlook.resources, 'resource')}, ${count(scenarios, 'scenario')}, about ${requests} requests`;
  const why = untested.map(({ path: at, why: reason, help }) => `  ${at}: ${reason}; ${help} would help`);
  return [
    `${wrote}${contract.title} ${contract.version} (${spec})`,
    '',
    `tested: ${tested.length} of ${counted}; ${gaps} gaps are observed`,
    ...cutRows(describeTested(tested)),
    ...below(`not tested: ${untested.length}`, cutRows(why)),
    ...below('responses:', cutRows(unmade.map((each) => `  ${each}`))),
    ...below(
      'about the document:',
      notes.map((note) => `  ${note}`),
    ),
    '',
    ...describeNext(contract),
    run(''),
    ...(tested[0] === undefined ? [] : [run(` --only '${tested[0].name}/*'`)]),
    '',
  ].join('\n');
}

function describeNext(contract: Contract): string[] {
  const schemes = describeSchemes(contract);
  if (schemes === '') return ['next:'];
  const named = contract.securitySchemes.some(({ kind }) => kind !== 'bearer') ? [schemes, ''] : [];
  return [...named, 'next: set PETSTORE_API_KEY, then'];
}

function describeTested(tested: readonly TestedResource[]): string[] {
  const width = Math.max(0, ...tested.map(({ name }) => name.length));
  return tested.map(({ name, path, roles, fields, scenarios, requests }) => {
    const rest = fields.length - MOST_FIELDS;
    const shown = `fields ${fields.slice(0, MOST_FIELDS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
    const told = `${roles.join(', ')}; ${fields.length === 0 ? 'no fields' : shown}`;
    return `  ${name.padEnd(width)}  ${path}  ${told}; ${count(scenarios, 'scenario')}, about ${requests} requests`;
  });
}

const MOST_FIELDS = 8;
