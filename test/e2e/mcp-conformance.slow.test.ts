import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { isMissing } from '../support/optional-tool.js';
import { start } from '../support/started-program.js';

const INSTALLED = fileURLToPath(new URL('mcp-conformance/node_modules/', import.meta.url));
const SUITE = join(INSTALLED, '@modelcontextprotocol/conformance/dist/index.js');
const NODE = join(INSTALLED, 'node/bin/node');

const withoutSuite = isMissing({
  found: existsSync(SUITE) && existsSync(NODE),
  name: 'the conformance suite of the Model Context Protocol',
  howToGet: 'npm ci --prefix test/e2e/mcp-conformance',
});

type Check = { id: string; status: string; errorMessage?: string };

/** What the suite's checks of a scenario came to. */
async function runSuite(url: string, scenario: string, revision: string): Promise<Check[]> {
  const folder = makeFolder();
  const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', folder];
  // It ends with 1 for a failure, which the checks tell.
  await promisify(execFile)(NODE, [SUITE, ...args]).catch(() => {});
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const written = paths.filter((path) => path.endsWith('checks.json'));
  return written.flatMap((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Check[]);
}

/** Some checks need a tool by a name that the suite gives it, which only a server for the suite has. */
const NEEDS_ITS_TOOLS = /^Not testable: server does not list the diagnostic tool/;

// The scenarios that a server of tools can pass; the others call tools, prompts and resources of the suite's own.
describe.skipIf(withoutSuite)("the protocol's own suite", () => {
  test.each([
    ['server-initialize', '2025-11-25'],
    ['ping', '2025-11-25'],
    ['tools-list', '2025-11-25'],
    ['server-sse-multiple-streams', '2025-11-25'],
    ['dns-rebinding-protection', '2025-11-25'],
    ['tools-list', '2025-06-18'],
    ['server-stateless', '2026-07-28'],
    ['tools-list', '2026-07-28'],
    ['server-sse-multiple-streams', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
    ['input-required-result-unsupported-methods', '2026-07-28'],
    ['sep-2164-resource-not-found', '2026-07-28'],
  ])('finds nothing wrong in %s of %s', async (scenario, revision) => {
    const { url } = await start(['--port', '0']);
    const checks = await runSuite(`${new URL(url).origin}/__admin/mcp`, scenario, revision);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(0);
    const failures = checks.filter(
      ({ status, errorMessage = '' }) => status === 'FAILURE' && !NEEDS_ITS_TOOLS.test(errorMessage),
    );
    expect(failures).toEqual([]);
  });

  test('is able to find something', async () => {
    const { url } = await start(['--port', '0']);
    const checks = await runSuite(`${new URL(url).origin}/v1/pets`, 'tools-list', '2026-07-28');
    expect(checks.map(({ status }) => status)).toContain('FAILURE');
  });
});
