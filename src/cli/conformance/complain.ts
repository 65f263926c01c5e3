import { spellOutLines } from '../../redact/spell-out.js';
import { hideSecrets } from './hide-secrets.js';

/** Prints a message besides the report. CI logs interpret commands in this output too. */
export function complain(message: string): void {
  process.stderr.write(`${spellOutLines(hideSecrets(`petstore-conformance: ${message}`))}\n`);
}
