import { relative, resolve, dirname } from 'node:path';
import { loadYaml } from '../../../contract/document/load-when-needed.js';
import { asList, asObject } from '../../../contract/document/plain.js';
import type { Contract } from '../../../contract/contract.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { isWebUrl } from '../../../contract/remote/fetched.js';
import type { Outlook } from '../../../conformance/product/outlook.js';
import { isSecretPair } from '../describe-command.js';
import type { InitCommand } from './init-command-line.js';

/** The config file, with what else it could say as comments. */
export function formatConfig({ contract, tested }: Outlook, command: InitCommand): string {
  const { spec, resources, records, parameter = [], output } = command;
  const place = (path: string): string => relative(dirname(resolve(output?.path ?? 'here')), resolve(path)) || path;
  const plain = parameter.filter((line) => !isSecretPair(line));
  const settings = {
    spec: isWebUrl(spec) ? spec : place(spec),
    ...(resources === undefined ? {} : { resources: place(resources) }),
    ...(records === undefined ? {} : { records: place(records) }),
    ...(plain.length === 0 ? {} : { parameter: plain }),
    ...(command.allowOutsideRefs === true ? { 'allow-outside-refs': true } : {}),
    ...(command.allowRemoteRefs === true ? { 'allow-remote-refs': true } : {}),
    ...(command.allowPrivateHosts === true ? { 'allow-private-hosts': true } : {}),
    targets: listTargets(contract),
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

/** The servers that the contract names, and the mock on this machine. */
function listTargets({ document, basePath }: Contract): Record<string, { url: string }> {
  const targets: Record<string, { url: string }> = { local: { url: `http://127.0.0.1:4010${basePath}` } };
  for (const server of asList(document.at('/servers')).map(asObject)) {
    const { url } = server;
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url) || url.includes('{') || !URL.canParse(url)) continue;
    const { hostname } = new URL(url);
    if (/^(?:localhost|127\.|\[::1\])/.test(hostname)) targets['local'] = { url: trim(url) };
    else targets[nameTarget(hostname, targets)] = { url: trim(url) };
  }
  return targets;
}

function trim(url: string): string {
  return url.replace(/\/+$/, '');
}

/** `staging` for staging.example.com. */
function nameTarget(hostname: string, taken: Readonly<Record<string, unknown>>): string {
  const [first = hostname] = hostname.split('.');
  return Object.hasOwn(taken, first) ? hostname : first;
}

/** A scheme other than a bearer key may take something else, and a token without a scope shows that it is needed. */
function listCredentials(contract: Contract): string {
  const { securitySchemes } = contract;
  const login = findLogin(contract);
  const bearer = login === undefined ? undefined : securitySchemes.find(({ kind }) => kind === 'bearer')?.name;
  const named = securitySchemes.length < 2 && bearer === undefined ? [] : securitySchemes.map(({ name }) => name);
  const scoped = listScoped(contract).map(({ scheme, scopes }) => `'${scheme}[${scopes[0] ?? ''}]'`);
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

/** How to log in by an operation of the contract: one that takes a password and returns a token. */
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

/** The schemes for whose tokens operations ask for scopes, with those. */
function listScoped({ operations, securitySchemes }: Contract): { scheme: string; scopes: string[] }[] {
  return securitySchemes.flatMap(({ name: scheme }) => {
    const asked = operations.flatMap(({ scopes }) => scopes.flatMap((each) => each[scheme] ?? []));
    return asked.length === 0 ? [] : [{ scheme, scopes: [...new Set(asked)] }];
  });
}
