import { spellOutLines } from '../../redact/spell-out.js';
import { hideSecrets } from './hide-secrets.js';

/** Says something beside the report. The log of a CI job reads this output for commands too. */
export function complain(message: string): void {
  process.stderr.write(`${spellOutLines(hideSecrets(`petstore-conformance: ${message}`))}\n`);
}
