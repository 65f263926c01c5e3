import { findNearest } from '../../suggest.js';
import type { Program } from '../options/define-options.js';
import { OPTIONS } from './options.js';

export const PETSTORE_CONFORMANCE: Program = {
  name: 'petstore-conformance',
  description: 'Finds where a deployment of the petstore deviates from its contract.',
  usage: '--target <base_url> [options]',
  prefix: 'PETSTORE_CONFORMANCE_',
  listSeparator: ',',
  options: OPTIONS,
  hint: 'The base URL goes with --target.',
  guessMeaning,
  notes: `
Most options may also stand in the config file under the name of their flag, or
in the environment as PETSTORE_CONFORMANCE_TIMEOUT, PETSTORE_CONFORMANCE_READ_ONLY
and so on. A flag counts before the environment, the environment before the
config file. Proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY.

Exit codes: 0 nothing deviates but what is known; 1 something does, or has
changed since --profile, a line of the baseline is out of date, or --fail-on or
--min-coverage is met; 2 wrong usage, an unusable file, a key that the target
refuses, or nothing concluded; 3 the target cannot be reached; 4 a bug of this
program; 130 interrupted.

Examples:
  petstore-conformance --target http://127.0.0.1:4010/v1
  petstore-conformance --target "$STAGING" --read-only
  petstore-conformance --target staging
  petstore-conformance --target "$STAGING" --write-profile staging.profile.yaml
  petstore-conformance --target "$STAGING" --profile staging.profile.yaml
  petstore-conformance diff staging.profile.yaml production.profile.yaml
  petstore-conformance --target "$STAGING" --only 'limits/*' --only 'status-filter/*'
  petstore-conformance --target "$STAGING" --report pretty,html,junit --report-dir reports
`,
};

function guessMeaning(word: string): string | undefined {
  if (/^https?:/i.test(word)) return `--target ${word}`;
  return word === 'diff' || findNearest(word, ['diff']) !== undefined ? 'diff as the first word' : undefined;
}
