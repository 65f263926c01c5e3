import type { Program } from '../options/define-options.js';
import { OPTIONS } from './options.js';

/** The runner, as its help describes it. */
export const PETSTORE_CONFORMANCE: Program = {
  name: 'petstore-conformance',
  description:
    'Tests a running service against its OpenAPI document, and reports where it deviates. Without --spec, that is the document of the petstore.',
  commands: {
    init: 'write a config file for a document, and say what a run would test',
    gaps: 'list what a document leaves open',
    diff: 'compare two profiles, such as those of staging and production',
    merge: 'combine the JSON reports of the shards of one run',
  },
  usual: ['target', 'spec', 'api-key', 'credential', 'read-only', 'only', 'again', 'baseline', 'report', 'report-dir'],
  shortNotes: `
Examples:
  petstore-conformance --target http://127.0.0.1:4010/v1
  petstore-conformance --target "$STAGING" --spec api.yaml --read-only`,
  usage: '--target <base_url> [options]\n       petstore-conformance <command> [options]',
  prefix: 'PETSTORE_CONFORMANCE_',
  listSeparator: ',',
  options: OPTIONS,
  hint: 'Give the base URL with --target.',
  guessMeaning,
  notes: `
You can also set most options in the config file, under the name of their flag,
or in the environment: PETSTORE_CONFORMANCE_TIMEOUT and so on. A flag takes
precedence over the environment, and the environment over the file. Under GitHub
Actions, the report github is added to the default. HTTPS_PROXY, HTTP_PROXY and
NO_PROXY set proxies.

Exit codes:
  0    no deviation, or only those of the baseline
  1    a deviation, a difference from --profile, an outdated entry in the
       baseline, or --fail-on, --min-coverage or --min-concluded is met
  2    wrong usage, an unusable file, rejected credentials, or nothing concluded
  3    the target cannot be reached
  4    a bug of this program
  130  interrupted

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

function guessMeaning(word: string): string | undefined {
  return /^https?:/i.test(word) ? `--target ${word}` : undefined;
}
