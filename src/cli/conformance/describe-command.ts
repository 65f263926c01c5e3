import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listSecrets } from '../../conformance/engine/redact.js';
import { hidePassword, isWebUrl } from '../../contract/remote/read-remote.js';
import { quote, nameVariable } from '../../report/curl.js';
import type { Environment } from '../options/define-options.js';
import type { RunnerOptions } from './options.js';

/** Flags that affect the requests. The bounds of a run, and where its reports go, do not. */
const DECISIVE = [
  'config',
  'api-key-file',
  'spec',
  'resources',
  'records',
  'allow-outside-refs',
  'allow-remote-refs',
  'allow-private-hosts',
  'scenarios',
  'read-only',
  'may',
  'never',
  'hooks',
  'deprecated',
  'keep',
  'strict',
  'baseline',
  'ca',
  'cert',
  'cert-key',
  'insecure',
] as const;

/** Flags with secrets that a variable takes as well: a command that lacks it stops, since what it found would not be so. */
const FROM_VARIABLES = {
  'api-key': 'PETSTORE_API_KEY',
  credential: 'PETSTORE_CREDENTIALS',
  'credential-b': 'PETSTORE_CREDENTIAL_B',
} as const;

/** Flags of pairs, some of which are secret by their name or their look: a command has a variable in place of those alone. */
const PAIRS = { parameter: '=', header: ': ' } as const;

type Started = { argv1: string; cwd: string; env: Environment; target: string | undefined };

/** A command to paste that repeats this run, except for the selection of scenarios. */
export function describeCommand({ given }: RunnerOptions, { argv1, cwd, env, target }: Started): string {
  const flags = DECISIVE.flatMap((name) => {
    const option = given(name);
    if (option?.from !== 'flag') return [];
    const values = [option.value].flat();
    return values.flatMap((value) => {
      if (value === true) return [`--${name}`];
      const word = String(value);
      // A URL is shown without its secrets, and a path as it is.
      const hides = name === 'spec' && isWebUrl(word);
      return [`--${name}`, quoteWord(hides ? hidePassword(word).replace('[redacted]@', '') : word)];
    });
  });
  const pairs = Object.entries(PAIRS).flatMap(([name, separator]) => {
    const option = given(name as keyof typeof PAIRS);
    const lines = option?.from === 'flag' ? [option.value].flat() : [];
    return lines.flatMap((line) => [`--${name}`, writePair(String(line), separator)]);
  });
  const variables = Object.entries(FROM_VARIABLES)
    .filter(([name]) => given(name as keyof typeof FROM_VARIABLES)?.from === 'flag')
    .map(([, variable]) => `${variable}="\${${variable}:?}"`);
  const where = target === undefined ? [] : ['--target', quoteWord(withoutCredentials(target))];
  return [...variables, nameProgram(argv1, cwd, env), ...where, ...flags, ...pairs].join(' ');
}

export const isSecretPair = (line: string): boolean => listSecrets({ parameter: [line] }).length > 0;

/** As it was given, or `"X-Gateway-Key: ${X_GATEWAY_KEY:?}"`. */
export function writePair(line: string, separator: '=' | ': '): string {
  const at = line.indexOf(separator.trim());
  const name = line.slice(0, at).trim();
  const value = line.slice(at + 1).trim();
  const secrets = separator === '=' ? { parameter: [line] } : { headers: { [name]: value } };
  if (listSecrets(secrets).length === 0) return quoteWord(`${name}${separator}${value}`);
  const safe = name.replace(/["\\`$]/g, String.raw`\$&`);
  return `"${safe}${separator}\${${nameVariable(name)}:?}"`;
}

/** As it was started: through npx, as an installed program, or as a file. */
export function nameProgram(argv1: string, cwd: string, env: Environment): string {
  const name = 'petstore-conformance';
  const folder = dirname(argv1);
  const isBin = /[\\/]node_modules[\\/]\.bin$/.test(folder);
  const home = join(folder, '../..');
  const packages = isBin ? readNpxPackages(home) : [];
  // From elsewhere, npx would fetch whatever is published under the name of the program.
  const isInstalled = isBin && !relative(home, cwd).startsWith('..');
  // npx asks before it takes a package that is none of a registry, and without a terminal it refuses.
  const asks = packages.some((each) => !/^(?:@[\w.-]+\/)?[\w.-]+(?:@[\w.^~*-]+)?$/.test(each));
  if (packages.length > 0)
    return ['npx', ...(asks ? ['-y'] : []), ...packages.flatMap((each) => ['-p', quoteWord(each)]), name].join(' ');
  const manager = (env['npm_config_user_agent'] ?? '').split('/')[0];
  if (isInstalled && manager === 'pnpm') return `pnpm exec ${name}`;
  if (isInstalled && manager === 'yarn') return `yarn ${name}`;
  if (isInstalled) return `npx ${name}`;
  if (/\.[cm]?js$/.test(argv1)) return `node ${quoteWord(relative(cwd, argv1))}`;
  return argv1 === '' || isOnPath(argv1, env) ? name : quoteWord(relative(cwd, argv1));
}

function readNpxPackages(folder: string): string[] {
  try {
    const { _npx: npx } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      _npx?: { packages?: unknown };
    };
    return Array.isArray(npx?.packages) ? npx.packages.map(String) : [];
  } catch {
    return [];
  }
}

function isOnPath(program: string, env: Environment): boolean {
  const folders = (env['PATH'] ?? '').split(process.platform === 'win32' ? ';' : ':');
  return folders.some((folder) => {
    const found = join(folder, 'petstore-conformance');
    return existsSync(found) && realpathSync(found) === realpathSync(program);
  });
}

function withoutCredentials(target: string): string {
  if (!URL.canParse(target)) return target;
  const { origin, pathname } = new URL(target);
  return origin === 'null' ? target : `${origin}${pathname.replace(/\/+$/, '')}`;
}

const quoteWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quote(text));
