import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { TOOLS } from '../../../src/mcp/create-server.js';
import { packageFile } from '../../../src/package-files.js';
import { blockUnder, createProject } from '../../support/readme.js';
import { start } from '../../support/started-program.js';
import { environment, onFreePort, runShell, startCommand, untilServed } from '../../support/terminal.js';

const PAGE = 'docs/agents.md';
const NAMES = TOOLS.map(({ name }) => name);

type Started = { command: string; args: string[] };

/** The server that a client's file names, wherever the client wants it. */
function findServer(file: object): Record<string, unknown> {
  const [servers = {}] = Object.values(file) as Record<string, Record<string, unknown>>[];
  expect(Object.keys(servers)).toEqual(['petstore-mock']);
  return servers['petstore-mock'] ?? {};
}

async function listTools(client: Client): Promise<string[]> {
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

async function connect({ command, args }: Started): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = environment() as Record<string, string>;
  await client.connect(new StdioClientTransport({ command, args, env, cwd: createProject(), stderr: 'ignore' }));
  return client;
}

const listStarted = async (started: Started): Promise<string[]> => listTools(await connect(started));

test.each(['Claude Code', 'Cursor', 'VS Code', 'Gemini CLI', 'Zed'])(
  'the file for %s starts the tools',
  async (name) => {
    const server = findServer(JSON.parse(blockUnder(PAGE, name, 'json')) as object);
    expect(await listStarted(server as unknown as Started)).toEqual(NAMES);
  },
);

test('the file for Codex starts the tools', async () => {
  const text = blockUnder(PAGE, 'Codex', 'toml');
  const [, command = '', args = ''] = /^command = (".*")\nargs = (\[.*\])$/m.exec(text) ?? [];
  const started = { command: JSON.parse(command) as string, args: JSON.parse(args) as string[] };
  expect(await listStarted(started)).toEqual(NAMES);
});

test('the file for a mock that runs reaches its tools', async () => {
  const { url } = await start(['--port', '0']);
  const server = findServer(JSON.parse(blockUnder(PAGE, 'Over HTTP', 'json')) as object);
  const at = new URL(new URL(String(server['url'])).pathname, url);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(at));
  expect(await listTools(client)).toEqual(NAMES);
});

test('the commands of SKILL.md work as they stand', async () => {
  const [check = '', serve = '', judge = ''] = blockUnder('SKILL.md', 'With commands', 'sh').trim().split('\n');
  const spec = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8');
  const folder = createProject({ 'api.yaml': spec });
  expect((await runShell(check, folder)).stdout).toContain('Petstore 1.0.0');
  startCommand(onFreePort(serve), folder);
  await untilServed();
  const ended = await runShell(onFreePort(judge), folder).catch((error: { stdout: string }) => error);
  expect(ended.stdout).toMatch(/ \d+ passed · /);
});

test('every tool, argument and deed that the pages for agents name is there', async () => {
  const text = ['SKILL.md', 'AGENTS.md', PAGE].map((page) => readFileSync(packageFile(page), 'utf8')).join('\n');
  const [steering] = TOOLS;
  const deeds = (steering?.properties as { do: { enum: string[] } } | undefined)?.do.enum ?? [];
  const named = [...text.matchAll(/`do=([\w-]+)`/g)].map(([, deed = '']) => deed);
  expect(named.filter((deed) => !deeds.includes(deed))).toEqual([]);
  const [, description = ''] = /^description: (.*)$/m.exec(readFileSync(packageFile('SKILL.md'), 'utf8')) ?? [];
  expect(description.length).toBeGreaterThan(100);
  expect(description.length).toBeLessThan(1024);
});
