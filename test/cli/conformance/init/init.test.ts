import { readDryRun } from '../../../../src/conformance/product/plan-run.js';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatConfig, formatOutlook, readInitCommand } from '../../../../src/cli/conformance/init.js';
import { formatGaps, readGapsCommand } from '../../../../src/cli/conformance/other-commands.js';
import { readConformanceConfig } from '../../../../src/cli/conformance/config.js';
import { readGapsOf } from '../../../../src/conformance/resources/resource-under-test.js';
import { loadContract } from '../../../../src/contract/contract.js';
import { packageFile } from '../../../../src/package-files.js';

const SHOP = packageFile('test/conformance/resources/shop.openapi.yaml');
const folder = mkdtempSync(join(tmpdir(), 'init-'));

/** The config file that a contract gets. */
function init(name: string, ...args: string[]): { file: string; told: string } {
  const file = join(folder, name);
  const command = readInitCommand(['--output', file, ...args]);
  const outlook = readDryRun(command);
  command.output?.write(formatConfig(outlook, command));
  return { file, told: formatOutlook(outlook, command) };
}

const shop = init('shop.yaml', '--spec', SHOP);

test('the file is one that the runner reads, with the servers of the contract as targets', () => {
  const { file } = shop;
  expect(readConformanceConfig(file)?.targets).toEqual(['local']);
  expect(readConformanceConfig(file)?.document.at('/targets/local/url')).toBe('http://localhost:4020/api');
  expect(readFileSync(file, 'utf8')).toContain("# only: ['customers/*']");
});

test('what each comment would do is what the runner reads', () => {
  for (const name of ['only', 'skip', 'may', 'keep', 'scenarios', 'profile', 'report', 'report-dir']) {
    const file = join(folder, `with-${name}.yaml`);
    const text = readFileSync(shop.file, 'utf8').replace(`# ${name}: `, `${name}: `);
    expect(text).toMatch(new RegExp(`^${name}: `, 'm'));
    writeFileSync(file, text);
    expect(readConformanceConfig(file)?.document.at(`/${name}`)).toBeDefined();
  }
});

test('it tells which resources are tested, with their roles and fields, and how many requests that takes', () => {
  const { told } = shop;
  expect(told).toMatch(/^tested: 3 of 3 resources, \d+ scenarios, about \d+ requests; 52 gaps are observed$/m);
  expect(told).toMatch(/^ {2}orders +\/orders {2}list, create, get, replace, remove; fields customerId, quantity, /m);
  expect(told).toMatch(/--target local --only 'customers\/\*'$/m);
});

/** The shared document of tickets with something more, in a file. */
function writeTickets(name: string, before: string, more: string): string {
  const text = readFileSync(packageFile('test/support/tickets.openapi.yaml'), 'utf8').replace(before, more + before);
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const needHeader = (name: string): string =>
  writeTickets(
    `of-${name.toLowerCase()}.yaml`,
    '        - { name: limit',
    `        - { name: ${name}, in: header, required: true, schema: { type: string } }\n`,
  );

test('what cannot be tested is told with the reason, and what would help', () => {
  const year = '{ name: year, in: query, required: true, schema: { type: integer } }';
  const get = `{ operationId: runReport, parameters: [${year}], responses: { '200': { description: It. } } }`;
  const spec = writeTickets('readonly.yaml', 'components:', `  /reports: { get: ${get} }\n`);
  const { told } = init('of-readonly.yaml', '--spec', spec);
  expect(told).toMatch(/^not tested: 1\n {2}GET \/reports: it needs the query parameter year; a file of corrections /m);
});

test('a value that only the service knows is taken, used, and written into the file', () => {
  const spec = needHeader('X-Tenant');
  expect(init('tenants-lacking.yaml', '--spec', spec).told).toContain('it needs the header parameter X-Tenant');
  const { file, told } = init('tenants.yaml', '--spec', spec, '--parameter', 'X-Tenant=acme');
  expect(told).not.toContain('X-Tenant');
  expect(readConformanceConfig(file)?.document.at('/parameter')).toEqual(['X-Tenant=acme']);
});

test('a secret is used, and not written into a file that others read', () => {
  const args = ['--spec', needHeader('X-Session-Token'), '--parameter', 'X-Session-Token=s3cret-word'];
  const { file, told } = init('tokens.yaml', ...args);
  expect(told).not.toContain('it needs');
  expect(readFileSync(file, 'utf8')).not.toContain('s3cret-word');
  expect(told).toContain('--target local --parameter "X-Session-Token=${X_SESSION_TOKEN:?}"');
});

test('what is to be run next is named as the program was started', () => {
  expect(formatOutlook(readDryRun({ spec: SHOP }), { spec: SHOP, output: undefined, program: 'npx -p x y' })).toContain(
    '\n  npx -p x y --target local\n',
  );
});

test('a file that exists is not overwritten without --force, and nothing is written when it is printed', () => {
  const args = ['--spec', SHOP, '--output', shop.file];
  expect(() => readInitCommand(args)).toThrow(/shop\.yaml exists; --force replaces it/);
  expect(readInitCommand([...args, '--force']).output?.path).toBe(shop.file);
  for (const printed of [['--stdout'], ['-'], ['--output', '-']])
    expect(readInitCommand(['--spec', SHOP, ...printed]).output).toBeUndefined();
});

test.each([
  [['api.yaml'], 'did you mean --spec api.yaml?'],
  [[], 'there is no contract; give it with --spec'],
])('%j is rejected with what to do', (args, message) => expect(() => readInitCommand(args)).toThrow(message));

test('gaps lists those of the contract at hand, with their choices', () => {
  const told = formatGaps(readGapsOf(loadContract(readGapsCommand(['--spec', SHOP]).spec ?? '')).asked);
  expect(told).toContain(
    'orders.list-order  In which order does a list return the orders?\n    newest-first (the mock), oldest-first\n',
  );
  expect(told).toMatch(/\n55 gaps; /);
});

test('a login by an operation of the contract is suggested, and is one that the runner reads', () => {
  const spec = join(folder, 'of-logins.yaml');
  const fields = 'email: { type: string }, password: { type: string }, remember: { type: boolean }';
  const taken = `requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { ${fields} } } } } }`;
  const shown = 'schema: { type: object, required: [token], properties: { token: { type: string } } }';
  const paths = (response: string): string => `openapi: 3.0.3
info: { title: Desk, version: '1' }
paths:
  /session:
    post: { operationId: logIn, security: [], ${taken}, responses: { '200': { description: It., content: { application/json: { ${response} } } } } }
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: All. } } }
security: [{ bearerAuth: [] }]
components: { securitySchemes: { bearerAuth: { type: http, scheme: bearer } } }
`;
  writeFileSync(spec, paths(shown));
  const { file } = init('logins.yaml', '--spec', spec);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(
    '#   bearerAuth: { login: { path: /session, body: { email: { env: LOGIN_EMAIL }, password: { env: LOGIN_PASSWORD } }, take: /token } }',
  );
  writeFileSync(file, text.replaceAll(/^# (credentials:|  bearerAuth:)/gm, '$1'));
  expect(readConformanceConfig(file)?.document.at('/credentials/bearerAuth/login/take')).toBe('/token');
  writeFileSync(spec, paths('schema: { type: object, properties: { name: { type: string } } }'));
  expect(readFileSync(init('no-logins.yaml', '--spec', spec).file, 'utf8')).not.toContain('login:');
});
