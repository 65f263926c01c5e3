import { test } from 'vitest';

/**
 * A test that needs something which `npm ci` does not bring. Where that is
 * missing it is skipped and says how to get it; with `CI=true` it fails.
 */
export function testNeeding(tool: { found: boolean; name: string; howToGet: string }): typeof test {
  if (tool.found) return test;
  const message = `${tool.name} was not found. To run these tests: ${tool.howToGet}`;
  if (process.env['CI'] === 'true') {
    test(`${tool.name} is there, since CI=true`, () => {
      throw new Error(message);
    });
  }
  process.stderr.write(`skipped: ${message}\n`);
  return test.skip as typeof test;
}
