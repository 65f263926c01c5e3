import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { quote } from '../../report/curl.js';
import type { Environment } from '../options/environment.js';
import type { RunnerOptions } from './options.js';

/** Flags without which a target is not asked the same. What a run is bounded by, and where its reports go, is not theirs. */
const DECISIVE = [
  'config',
  'api-key-file',
  'spec',
  'allow-outside-refs',
  'scenarios',
  'category-id',
  'strict',
  'baseline',
  'ca',
  'cert',
  'cert-key',
  'insecure',
] as const;

interface Started {
  /** The program as Node was given it. */
  argv1: string;
  cwd: string;
  env: Environment;
  /** The base URL, or the name of a target of the config file, by which its certificates and header fields come along. */
  target: string | undefined;
}

/** The command that a reader can paste to make a run like this one, but for which scenarios it runs. */
export function describeCommand({ given }: RunnerOptions, { argv1, cwd, env, target }: Started): string {
  const flags = DECISIVE.flatMap((name) => {
    const option = given(name);
    if (option?.from !== 'flag') return [];
    const values = [option.value].flat();
    return values.flatMap((value) => (value === true ? [`--${name}`] : [`--${name}`, quoteWord(String(value))]));
  });
  const where = target === undefined ? [] : ['--target', quoteWord(withoutCredentials(target))];
  return [nameProgram(argv1, cwd, env), ...where, ...flags].join(' ');
}

/** As it was started: by npx, from a folder of installed programs, or as a file. */
export function nameProgram(argv1: string, cwd: string, env: Environment): string {
  const name = 'petstore-conformance';
  const folder = dirname(argv1);
  const isInstalled = /[\\/]node_modules[\\/]\.bin$/.test(folder);
  const packages = isInstalled ? readNpxPackages(join(folder, '../..')) : [];
  if (packages.length > 0) return ['npx', ...packages.flatMap((each) => ['-p', quoteWord(each)]), name].join(' ');
  const manager = (env['npm_config_user_agent'] ?? '').split('/')[0];
  if (isInstalled && manager === 'pnpm') return `pnpm exec ${name}`;
  if (isInstalled && manager === 'yarn') return `yarn ${name}`;
  if (isInstalled) return `npx ${name}`;
  if (/\.[cm]?js$/.test(argv1)) return `node ${quoteWord(relative(cwd, argv1))}`;
  return argv1 === '' || isOnPath(argv1, env) ? name : quoteWord(relative(cwd, argv1));
}

/** What npx was told to fetch, which it keeps with the copy that it runs. */
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

/** For a POSIX shell, bare where nothing needs quotes. */
function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quote(text);
}
