import { reportFormats } from '../../report/index.js';

/** An option of the runner, wherever it is given. */
export interface ConformanceOption {
  /** The flag without its dashes, which is also the name in the config file. */
  name: string;
  /** As the command line shows it. */
  flag: string;
  description: string;
  /** `list`: may be repeated, and is a list in the file. `switch`: takes no value. Default: one value, the last counts. */
  kind?: 'list' | 'switch';
  /** The value names a file or a folder; in the config file it is relative to that file. */
  isPath?: boolean;
  /** Where else than on the command line it may stand. Default: in the file and the environment. */
  only?: 'flag';
}

export const OPTIONS: readonly ConformanceOption[] = [
  {
    name: 'target',
    flag: '--target <url or name>',
    description:
      'the base URL, with its version segment: http://127.0.0.1:4010/v1; or the name of a target of the config file',
  },
  {
    name: 'api-key',
    flag: '--api-key <key>',
    description: 'the API key; better by PETSTORE_API_KEY or --api-key-file',
    only: 'flag',
  },
  { name: 'api-key-file', flag: '--api-key-file <path>', description: 'a file that holds the API key', isPath: true },
  { name: 'spec', flag: '--spec <path>', description: 'another contract than the one that ships', isPath: true },
  {
    name: 'allow-outside-refs',
    flag: '--allow-outside-refs',
    description: 'let that contract refer to files outside its folder',
    kind: 'switch',
  },
  {
    name: 'scenarios',
    flag: '--scenarios <path>',
    description: 'a scenario file, or a folder of them, beside those that ship; may be repeated',
    kind: 'list',
    isPath: true,
  },
  {
    name: 'only',
    flag: '--only <id>',
    description: 'run these, with what they depend on: an id or a glob; may be repeated',
    kind: 'list',
  },
  {
    name: 'skip',
    flag: '--skip <id>',
    description: 'leave these out: an id or a glob; may be repeated',
    kind: 'list',
  },
  {
    name: 'again',
    flag: '--again <id>',
    description: 'run one scenario again, with what it depends on; may be repeated',
    kind: 'list',
    only: 'flag',
  },
  { name: 'read-only', flag: '--read-only', description: 'send no POST', kind: 'switch' },
  { name: 'max-creates', flag: '--max-creates <n>', description: 'the most pets to create (default 60)' },
  {
    name: 'category-id',
    flag: '--category-id <id>',
    description: 'a category that exists (default: one that a list shows)',
  },
  {
    name: 'wait-for-target',
    flag: '--wait-for-target <seconds>',
    description: 'wait so long for the target to answer at all',
  },
  {
    name: 'timeout',
    flag: '--timeout <seconds>',
    description: 'the most that one exchange may take (default 10)',
  },
  {
    name: 'max-time',
    flag: '--max-time <seconds>',
    description: 'the most that the whole run may take; it reports what it concluded by then (default 900)',
  },
  {
    name: 'settle',
    flag: '--settle <seconds>',
    description: 'how long others may take to see a new pet (default 2, or more for a target that needs it)',
  },
  { name: 'rate', flag: '--rate <n>', description: 'at most so many requests a second' },
  { name: 'concurrency', flag: '--concurrency <n>', description: 'how many scenarios run at a time (default 4)' },
  { name: 'bail', flag: '--bail', description: 'stop at the first deviation', kind: 'switch' },
  {
    name: 'strict',
    flag: '--strict',
    description:
      'what the contract does not forbid and is worth a look is a deviation: further fields, short pages, moving statuses',
    kind: 'switch',
  },
  {
    name: 'baseline',
    flag: '--baseline <path>',
    description: 'a file of known deviations, which do not fail the run',
    isPath: true,
  },
  {
    name: 'write-baseline',
    flag: '--write-baseline <path>',
    description: 'write what deviates into such a file; what stands there already is kept',
    only: 'flag',
  },
  {
    name: 'profile',
    flag: '--profile <path>',
    description: 'exit with 1 when the target does otherwise than this profile says',
    isPath: true,
  },
  {
    name: 'write-profile',
    flag: '--write-profile <path>',
    description: 'write what the target does where the contract is silent',
    only: 'flag',
  },
  {
    name: 'fail-on',
    flag: '--fail-on <verdict>',
    description: 'exit with 1 when a scenario is inconclusive: --fail-on inconclusive',
  },
  {
    name: 'min-coverage',
    flag: '--min-coverage <percent>',
    description: 'exit with 1 when less of the contract was exercised',
  },
  {
    name: 'min-concluded',
    flag: '--min-concluded <percent>',
    description: 'exit with 1 when fewer of the scenarios that were to be run came to a conclusion (default 90)',
  },
  {
    name: 'report',
    flag: '--report <formats>',
    description: `${Object.keys(reportFormats).join(', ')}; several with commas (default pretty; with github under GitHub Actions)`,
    kind: 'list',
  },
  {
    name: 'report-dir',
    flag: '--report-dir <path>',
    description: 'write the reports but pretty and github as files into this folder',
    isPath: true,
  },
  { name: 'list', flag: '--list', description: 'list the scenarios and end', kind: 'switch', only: 'flag' },
  {
    name: 'dry-run',
    flag: '--dry-run',
    description: 'list the scenarios with their steps and end',
    kind: 'switch',
    only: 'flag',
  },
  {
    name: 'header',
    flag: '--header <line>',
    description: 'a header field for every request, "Name: value"; may be repeated',
    kind: 'list',
    only: 'flag',
  },
  { name: 'ca', flag: '--ca <path>', description: "PEM certificates to trust beside Node's own", isPath: true },
  {
    name: 'cert',
    flag: '--cert <path>',
    description: 'a PEM certificate of the client; PETSTORE_CERT_PASSPHRASE opens a key that is locked',
    isPath: true,
  },
  {
    name: 'cert-key',
    flag: '--cert-key <path>',
    description: 'its private key, where it is not in the same file',
    isPath: true,
  },
  { name: 'insecure', flag: '--insecure', description: 'trust any certificate; the reports say so', kind: 'switch' },
  { name: 'quiet', flag: '--quiet', description: 'only what deviates, and the summary', kind: 'switch' },
];

const PREFIX = 'PETSTORE_CONFORMANCE_';

/** The environment variable of an option. */
export function variableOf({ name }: ConformanceOption): string {
  return `${PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;
}
