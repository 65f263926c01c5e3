import { schemaOf } from '../../src/mcp/tool.js';
import { expect, test } from 'vitest';
import { TOOLS } from '../../src/mcp/create-server.js';
import { connectClient } from './support/connect-client.js';
import { countTokens } from './support/count-tokens.js';

test('there are at most six tools, and their schemas take fewer than 2,000 tokens', async () => {
  const { client } = await connectClient();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['mock', 'requests', 'contract', 'conformance', 'explain', 'gaps']);
  expect(countTokens(JSON.stringify(tools))).toBeLessThan(2000);
});

test('each tool says in a sentence what it is for, and allows no argument that it does not know', () => {
  for (const tool of TOOLS) {
    const { description } = tool;
    const inputSchema = schemaOf(tool);
    expect(description).toMatch(/^[A-Z].{40,260}$/);
    expect(inputSchema['additionalProperties']).toBe(false);
  }
});

test.each([
  ['mock', {}, 'bad-arguments: do is missing.'],
  ['mock', { do: 'begin' }, 'bad-arguments: do must be one of start, find, show, stop,'],
  ['mock', { do: 'show' }, 'bad-option: there is no mock yet; call mock with do=start, or do=find and a url.'],
  ['mock', { do: 'find' }, 'bad-option: find needs the url of the mock'],
  ['mock', { do: 'find', url: 'https://elsewhere.example' }, 'bad-option: https://elsewhere.example may not be used'],
  ['mock', { do: 'find', url: 'http://127.0.0.1:1' }, 'target-unreachable: '],
  ['mock', { do: 'start', options: { handlers: 'a.mjs' } }, 'bad-option: there is no option handlers.'],
  ['mock', { do: 'start', options: { count: -1 } }, 'bad-option: the option count must be a whole number from 0, not'],
  ['mock', { do: 'start', spec: 'gone.yaml' }, 'unreadable-file: '],
  ['requests', { shwo: 1 }, 'bad-arguments: there is no argument shwo; did you mean show?'],
  ['requests', { limit: 1000 }, 'bad-arguments: limit must be <= 50.'],
  ['contract', { spec: 'package.json' }, 'unusable-contract: '],
  ['conformance', { target: 'http://127.0.0.1:1/v1' }, 'target-unreachable: http://127.0.0.1:1/v1 cannot be tested'],
  ['explain', {}, 'bad-option: there is no run: there is none yet; call conformance first.'],
  ['gaps', { run: 'run-1' }, 'bad-option: there is no run run-1: there is none yet; call conformance first.'],
])('%s with %j says what is wrong and what to do', async (name, given, message) => {
  const { call } = await connectClient();
  const { text, data, isError } = await call(name, given);
  expect(isError).toBe(true);
  expect(text).toContain(message);
  expect(`${data.error.code}: ${data.error.message}`).toBe(text);
});

test('a tool that there is not is an error of the protocol, which names those that there are', async () => {
  const { client } = await connectClient();
  await expect(client.callTool({ name: 'pets' })).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining('there is no tool pets; there are mock, requests, contract'),
  });
});

test('what is no message of the protocol is complained of beside the answers, and the next call is answered', async () => {
  const { call, complaints, client } = await connectClient();
  (client.transport as unknown as { send: (raw: unknown) => Promise<void> }).send({ nonsense: true }).catch(() => {});
  expect((await call('mock', { do: 'start', options: { fixtures: 'empty' } })).isError).toBe(false);
  expect(complaints).toHaveLength(1);
});
