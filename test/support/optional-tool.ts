/** Something that a test needs and that `npm ci` does not bring. */
export type OptionalTool = { found: boolean; name: string; howToGet: string };

/**
 * Whether tests that need a tool are to be skipped. Then it says how to run
 * them; with `CI=true` it throws instead, so that they cannot be skipped unseen.
 */
export function isMissing({ found, name, howToGet }: OptionalTool): boolean {
  if (found) return false;
  const message = `${name} was not found. To run the tests that need it: ${howToGet}`;
  if (process.env['CI'] === 'true') throw new Error(message);
  process.stderr.write(`skipped: ${message}\n`);
  return true;
}
