import { PetstoreMockError } from '../../../errors.js';

/** Where the engine is that processes share, and as whom they speak to it. */
export interface EngineAddress {
  host: string;
  port: number;
  db: number;
  username: string | undefined;
  password: string | undefined;
  isEncrypted: boolean;
  /** The beginning of all keys, in the braces that keep them together in a cluster. */
  prefix: string;
  /** What may be shown of it. */
  shown: string;
}

const DEFAULT_PORT = 6379;
const DEFAULT_PREFIX = 'petstore-mock';

const FORM = 'redis://[user:password@]host[:port][/database][?prefix=name], or rediss:// for TLS';

/** Reads the URL of an engine. Throws a `PetstoreMockError` that shows nothing of it, since it may hold a password. */
export function readEngineAddress(text: string): EngineAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    throw bad(`must be ${FORM}; a password with other characters than letters and digits needs percent escapes`);
  const [, database = ''] = /^\/?(\d{0,4})$/.exec(url.pathname) ?? [];
  if (!/^\/?\d{0,4}$/.test(url.pathname)) throw bad('has a path that is not a database number');
  const others = [...url.searchParams.keys()].filter((name) => name !== 'prefix');
  if (others.length > 0) throw bad(`has a query with another parameter than prefix; it must be ${FORM}`);
  const prefix = url.searchParams.get('prefix') ?? DEFAULT_PREFIX;
  if (!/^[\w.:-]{1,64}$/.test(prefix))
    throw bad('has a prefix that is not a name of up to 64 letters, digits, dots, colons, dashes and underscores');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  const db = Number(database);
  return {
    host,
    port,
    db,
    username: decode(url.username),
    password: decode(url.password),
    isEncrypted: url.protocol === 'rediss:',
    prefix: `{${prefix}}`,
    shown: `redis at ${url.hostname}:${port}/${db}${prefix === DEFAULT_PREFIX ? '' : ` (prefix ${prefix})`}`,
  };
}

/** What must not be shown of an engine's URL, as it was written and as it is meant; all of it, if it is none. */
export function listEngineSecrets(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const written = [new URL(text).password, /^[^:]*:\/\/[^:@]*:(.*)@/.exec(text)?.[1] ?? ''];
  return [...new Set(written.flatMap((each) => [each, unescape(each)]))].filter((each) => each !== '');
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decode(escaped: string): string | undefined {
  if (escaped === '') return undefined;
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw bad('has a user or a password with a percent sign that begins no escape; write it as %25');
  }
}

function bad(problem: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', `the option shared ${problem}.`);
}
