import { spellOut } from '../../report/spell-out.js';

/** Says something beside the report. The log of a CI job reads this output for commands too. */
export function complain(message: string): void {
  process.stderr.write(`${`petstore-conformance: ${message}`.split('\n').map(spellOut).join('\n')}\n`);
}
