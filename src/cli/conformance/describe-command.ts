import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { quote } from '../../report/curl.js';
import type { Environment } from '../options/environment.js';
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
  'scenarios',
  'read-only',
  'may',
  'keep',
  'category-id',
  'strict',
  'baseline',
  'ca',
  'cert',
  'cert-key',
  'insecure',
] as const;

/** Flags whose values may be secret: a command names a variable in place of each, which who pastes it sets. */
const SECRETIVE = { credential: '=', parameter: '=', header: ': ' } as const;

interface Started {
  /** The path of the program, as Node received it. */
  argv1: string;
  cwd: string;
  env: Environment;
  /** The base URL, or the name of a target in the config file, which brings its certificates and header fields. */
  target: string | undefined;
}

/** A command to paste that repeats this run, except for the selection of scenarios. */
export function describeCommand({ given }: RunnerOptions, { argv1, cwd, env, target }: Started): string {
  const flags = DECISIVE.flatMap((name) => {
    const option = given(name);
    if (option?.from !== 'flag') return [];
    const values = [option.value].flat();
    return values.flatMap((value) => (value === true ? [`--${name}`] : [`--${name}`, quoteWord(String(value))]));
  });
  const secrets = Object.entries(SECRETIVE).flatMap(([name, separator]) => {
    const option = given(name as keyof typeof SECRETIVE);
    const lines = option?.from === 'flag' ? [option.value].flat() : [];
    return lines.flatMap((line) => [`--${name}`, nameVariable(String(line), separator)]);
  });
  const where = target === undefined ? [] : ['--target', quoteWord(withoutCredentials(target))];
  return [nameProgram(argv1, cwd, env), ...where, ...flags, ...secrets].join(' ');
}

/** `"basicAuth=$BASIC_AUTH"`, for `basicAuth=user:password`. */
function nameVariable(line: string, separator: '=' | ': '): string {
  const name = line.slice(0, line.indexOf(separator.trim())).trim();
  const variable = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toUpperCase();
  const safe = name.replace(/["\\`$]/g, String.raw`\$&`);
  return `"${safe}${separator}$${/^\d/.test(variable) ? '_' : ''}${variable}"`;
}

/** As it was started: through npx, as an installed program, or as a file. */
export function nameProgram(argv1: string, cwd: string, env: Environment): string {
  const name = 'petstore-conformance';
  const folder = dirname(argv1);
  const isInstalled = /[\\/]node_modules[\\/]\.bin$/.test(folder);
  const packages = isInstalled ? readNpxPackages(join(folder, '../..')) : [];
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

/** The package that npx was told to fetch, which it records with its copy. */
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

/** Quotes for a POSIX shell, only where necessary. */
function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quote(text);
}
