import { findNearest } from '../../suggest.js';
import type { Program } from '../options/define-options.js';
import { OPTIONS } from './options.js';

/** The runner, as its help describes it. */
export const PETSTORE_CONFORMANCE: Program = {
  name: 'petstore-conformance',
  description: 'Finds where a deployment of the petstore deviates from its contract.',
  usage: '--target <base_url> [options]',
  prefix: 'PETSTORE_CONFORMANCE_',
  listSeparator: ',',
  options: OPTIONS,
  hint: 'Give the base URL with --target.',
  guessMeaning,
  notes: `
You can also set most options in the config file, under the name of their flag, or in
the environment: PETSTORE_CONFORMANCE_TIMEOUT and so on. A flag takes precedence over
the environment, that over the file. HTTPS_PROXY, HTTP_PROXY and NO_PROXY set proxies.

Exit codes: 0 no deviation, or only known ones; 1 a deviation, a difference from
--profile, an outdated line in the baseline, or --fail-on, --min-coverage or
--min-concluded is met; 2 wrong usage, an unusable file, a key that the target
refuses, or nothing concluded; 3 the target cannot be reached; 4 a bug of this
program; 130 interrupted.

Examples:
  petstore-conformance init --spec api.yaml
  petstore-conformance gaps --spec api.yaml
  petstore-conformance --target staging --read-only
  petstore-conformance --target "$STAGING" --write-profile staging.profile.yaml
  petstore-conformance --target "$STAGING" --profile staging.profile.yaml
  petstore-conformance diff staging.profile.yaml production.profile.yaml
  petstore-conformance --target "$STAGING" --shard 2/4 --report json --report-dir part2
  petstore-conformance merge part*/conformance.json --report pretty,html --report-dir all
  petstore-conformance --target "$STAGING" --spec api.yaml --only 'orders/*'
  petstore-conformance --target "$STAGING" --report pretty,html,junit --report-dir reports
`,
};

/** What the first word may be in place of a flag. */
const COMMANDS = ['init', 'gaps', 'diff', 'merge'];

function guessMeaning(word: string): string | undefined {
  if (/^https?:/i.test(word)) return `--target ${word}`;
  const command = COMMANDS.find((each) => each === word) ?? findNearest(word, COMMANDS);
  return command === undefined ? undefined : `${command} as the first word`;
}
