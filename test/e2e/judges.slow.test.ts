import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import { startPetstoreMock, type PetstoreMock } from '../../src/index.js';
import { packageFile } from '../../src/package-files.js';
import { eventually } from '../support/eventually.js';
import { findFreePort } from '../support/free-port.js';
import { isMissing } from '../support/optional-tool.js';

// Tools that are not ours look at the mock: they must find nothing, and must find what is planted.

const fromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PRISM = fromHere('prism/node_modules/.bin/prism');
const PORTMAN = fromHere('portman/node_modules/.bin/portman');
const REDOCLY = fromHere('../../node_modules/.bin/redocly');
const SPEC = packageFile('examples/store-orders/petstore.openapi.yaml');
const KEY = 'petstore-dev-key';

const withoutPrism = isMissing({ found: existsSync(PRISM), name: 'Prism', howToGet: 'npm ci --prefix test/e2e/prism' });
const withoutPortman = isMissing({
  found: existsSync(PORTMAN),
  name: 'Portman',
  howToGet: 'npm ci --ignore-scripts --prefix test/e2e/portman',
});

let sound: PetstoreMock;
let faulty: PetstoreMock;
let folder: string;

beforeAll(async () => {
  sound = await startPetstoreMock({ spec: SPEC });
  faulty = await startPetstoreMock({ spec: SPEC, faults: [{ effect: { breakContract: true }, at: 'after' }] });
  folder = mkdtempSync(join(tmpdir(), 'petstore-judges-'));
  await runTool(REDOCLY, ['bundle', SPEC, '-o', join(folder, 'team.yaml')]);
});

afterAll(async () => {
  await sound.close();
  await faulty.close();
});

/** Runs a tool to its end. */
function runTool(tool: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tool, ...args], { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` });
    });
  });
}

/** Requests that are served and that are refused, for every operation. */
const REQUESTS: [target: string, body?: string][] = [
  ['GET /pets'],
  ['GET /pets?limit=50&status=reserved&categoryId=3'],
  ['GET /pets?limit=51'],
  ['GET /pets?limit=x'],
  ['GET /pets?status=unknown'],
  ['POST /pets', '{"name":"Rex","categoryId":1,"breed":"beagle","status":"sold"}'],
  ['POST /pets', '{"name":"Rex"}'],
  ['POST /pets', '{'],
  ['GET /pets/1'],
  ['GET /pets/999999'],
  ['GET /pets/rex'],
  ['GET /store/inventory'],
  ['POST /store/orders', '{"petId":1,"quantity":2}'],
  ['POST /store/orders', '{"petId":1,"quantity":11}'],
  ['GET /store/orders/7'],
  ['GET /store/orders/0'],
  ['DELETE /store/orders/7'],
];

/** What Prism's validating proxy says of the answers behind it. */
async function listViolations(mock: PetstoreMock): Promise<string[]> {
  const port = await findFreePort();
  const proxy = spawn(process.execPath, [PRISM, 'proxy', SPEC, mock.url, '-p', String(port)]);
  try {
    const base = `http://127.0.0.1:${port}`;
    await eventually(() => fetch(base));
    return (await Promise.all(REQUESTS.flatMap((each) => [ask(base, each, KEY), ask(base, each, 'wrong')]))).flat();
  } finally {
    proxy.kill();
    await once(proxy, 'exit');
  }
}

async function ask(base: string, [target, body]: (typeof REQUESTS)[number], key: string): Promise<string[]> {
  const [method = '', path = ''] = target.split(' ');
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body }) });
  await response.arrayBuffer();
  const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]') as Violation[];
  return violations
    .filter(({ location }) => location[0] === 'response')
    .map(({ location, message }) => `${target} → ${response.status} ${location.join('/')}: ${message}`);
}

type Violation = { location: string[]; message: string };

test.skipIf(withoutPrism)("Prism's validating proxy sees no answer that breaks the contract", async () => {
  expect(await listViolations(sound)).toEqual([]);
});

test.skipIf(withoutPrism)("Prism's validating proxy sees answers that are broken on purpose", async () => {
  expect((await listViolations(faulty)).length).toBeGreaterThan(4);
});

/** Workflows that Redocly makes of the contract: each operation with the key, and once more with a wrong one. */
async function writeWorkflows(): Promise<string> {
  const path = join(folder, 'flow.arazzo.yaml');
  await runTool(REDOCLY, ['generate-arazzo', 'team.yaml', '-o', path]);
  const flow = parseDocument(readFileSync(path, 'utf8')).toJS() as { workflows: Workflow[] };
  const refused = flow.workflows.map(({ workflowId, steps, ...rest }) => ({
    ...rest,
    workflowId: `${workflowId}-refused`,
    steps: steps.map((step) => ({
      ...step,
      'x-security': [{ schemeName: 'apiKey', values: { token: 'wrong' } }],
      successCriteria: [{ condition: '$statusCode == 401' }],
    })),
  }));
  writeFileSync(path, stringify({ ...flow, workflows: [...flow.workflows, ...refused] }));
  return path;
}

type Workflow = { workflowId: string; steps: object[] };

function respect(flow: string, mock: PetstoreMock): ReturnType<typeof runTool> {
  return runTool(REDOCLY, ['respect', flow, '--input', `apiKey=${KEY}`, '-S', `team=${mock.url}`]);
}

test('Respect passes on workflows that are generated from the contract', async () => {
  const flow = await writeWorkflows();
  const { code, output } = await respect(flow, sound);
  expect(output).toMatch(/Workflows: 14 passed, 14 total/);
  expect(code).toBe(0);
  const broken = await respect(flow, faulty);
  expect(broken.code).not.toBe(0);
  expect(broken.output).toMatch(/✗ schema check/);
});

function portman(mock: PetstoreMock): ReturnType<typeof runTool> {
  const config = fromHere('portman/portman.config.json');
  return runTool(PORTMAN, ['-l', 'team.yaml', '-b', mock.url, '-c', config, '-n', 'true', '-o', 'collection.json']);
}

test.skipIf(withoutPortman)('Portman finds nothing, with a key or without', async () => {
  // Others have cancelled the order that the contract's example names.
  await sound.reset();
  const { code, output } = await portman(sound);
  expect(output).toMatch(/requests[^\d]+14[^\d]+0/);
  expect(output).toMatch(/assertions[^\d]+\d+[^\d]+0/);
  expect(code).toBe(0);
  const broken = await portman(faulty);
  expect(broken.output).toMatch(/Schema is valid/);
  expect(broken.code).not.toBe(0);
});
