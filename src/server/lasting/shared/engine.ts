// Not the global, which tests may replace by a fake timer.
import { createHash } from 'node:crypto';
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { isIP } from 'node:net';
import type { Redis } from 'ioredis';
import { PetstoreMockError } from '../../../errors.js';

export class EngineError extends Error {
  /** The first word of a refusal, such as `OOM`, or the code of a refused certificate; `undefined` where no answer came. */
  readonly word: string | undefined;

  constructor(message: string, word: string | undefined) {
    super(message);
    this.word = word;
  }
}

const PATIENCE_MS = 5000;
const MOST_BETWEEN_MS = 500;
const START_PATIENCE_MS = 10_000;
const BETWEEN_STARTS_MS = 250;

/** Connects to an engine. Rejects with a `PetstoreMockError`. */
export async function connectEngine(address: EngineAddress, tell: (message: string) => void): Promise<Engine> {
  const Client = await loadClient();
  const until = performance.now() + START_PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    const engine = new ConnectedEngine(
      new Client({
        host: address.host,
        port: address.port,
        db: address.db,
        ...(address.username === undefined ? {} : { username: address.username }),
        ...(address.password === undefined ? {} : { password: address.password }),
        // A server is told the name that it was asked by, which an address is not (RFC 6066 section 3).
        ...(address.isEncrypted ? { tls: isIP(address.host) === 0 ? { servername: address.host } : {} } : {}),
        lazyConnect: true,
        // Answers have the same form from every engine.
        protocol: 2,
        connectTimeout: PATIENCE_MS,
        // What was asked before a break may have been done; whoever asked has to find out.
        enableOfflineQueue: false,
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        retryStrategy: (times) => Math.min(50 * times, MOST_BETWEEN_MS),
      }),
      address,
    );
    const problem = await engine.connect();
    if (problem === undefined) return engine;
    engine.close();
    if (problem.word !== undefined || performance.now() > until)
      throw new PetstoreMockError('unavailable', `${address.shown} cannot be used: ${problem.message}.`);
    if (attempt === 1) tell(`${address.shown} does not respond yet (${problem.message}); waiting for it.`);
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_STARTS_MS));
  }
}

async function loadClient(): Promise<typeof Redis> {
  try {
    return (await import('ioredis')).Redis;
  } catch {
    throw new PetstoreMockError('bad-option', '--shared needs the package ioredis; install it: npm install ioredis.');
  }
}

export type Engine = Pick<ConnectedEngine, 'run' | 'call' | 'key' | 'problem' | 'shown' | 'close'>;

class ConnectedEngine {
  readonly shown: string;
  readonly #client: Redis;
  readonly #address: EngineAddress;
  #last: EngineError | undefined;
  #isReady = false;
  readonly #hashes = new Map<string, string>();

  constructor(client: Redis, address: EngineAddress) {
    this.#client = client;
    this.#address = address;
    this.shown = address.shown;
    client.on('ready', () => (this.#isReady = true));
    client.on('close', () => (this.#isReady = false));
    client.on('error', (error: Error) => (this.#last = this.#explain(error)));
  }

  async connect(): Promise<EngineError | undefined> {
    try {
      await this.#client.connect();
      await this.call('PING');
      return undefined;
    } catch (error) {
      const rejected = error instanceof EngineError ? error : this.#explain(error);
      return rejected.word === undefined ? (this.#last ?? rejected) : rejected;
    }
  }

  key(name: string): string {
    return `${this.#address.prefix}:${name}`;
  }

  get problem(): string | undefined {
    if (this.#isReady) return undefined;
    return `${this.shown} cannot be reached${this.#last === undefined ? '' : ` (${this.#last.message})`}`;
  }

  /** Runs a script. Rejects with an {@link EngineError}. */
  async run(script: string, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown> {
    const hash = this.#hashes.get(script) ?? createHash('sha1').update(script).digest('hex');
    this.#hashes.set(script, hash);
    const given = [keys.length, ...keys, ...args] as (string | number)[];
    try {
      return await this.call('EVALSHA', hash, ...given);
    } catch (error) {
      if (!(error instanceof EngineError) || error.word !== 'NOSCRIPT') throw error;
      return this.call('EVAL', script, ...given);
    }
  }

  async call(command: string, ...args: (string | number)[]): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    let missed: NodeJS.Immediate | undefined;
    const silence = new Promise<never>((_, reject) => {
      const giveUp = (): void => {
        // Another connection is tried; the engine may still do what this one asked.
        this.#isReady = false;
        this.#client.disconnect(true);
        this.#last = new EngineError(`no response within ${PATIENCE_MS / 1000} s`, undefined);
        reject(this.#last);
      };
      // Where this process stood still, the answer has come, and is read before it is missed.
      timer = setTimeout(() => (missed = setImmediate(giveUp)), PATIENCE_MS);
    });
    try {
      return await Promise.race([this.#client.call(command, ...args), silence]);
    } catch (error) {
      throw error instanceof EngineError ? error : this.#explain(error);
    } finally {
      clearTimeout(timer);
      clearImmediate(missed);
    }
  }

  close(): void {
    this.#isReady = false;
    this.#client.disconnect();
  }

  #explain(error: unknown): EngineError {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code !== undefined && UNTRUSTED.test(code))
      return new EngineError(
        `its certificate is rejected (${code}); NODE_EXTRA_CA_CERTS can name your own authority`,
        code,
      );
    const word = /^(?:ERR|[A-Z]{3,})(?= )/.exec(message)?.[0];
    // What the client says of itself helps nobody.
    const text = word === undefined ? (code ?? 'the connection broke') : message;
    const { password } = this.#address;
    const safe = password === undefined ? text : text.replaceAll(password, '[password]');
    return new EngineError(safe.replace(PLACE_IN_SCRIPT, '').replace(/\s*\.?\s*$/, ''), word);
  }
}

const PLACE_IN_SCRIPT = /\s*script: [0-9a-f]{40}, on @user_script:\d+\.?$/;
const UNTRUSTED = /CERT|ISSUER/;
const DEFAULT_PORT = 6379;
const DEFAULT_PREFIX = 'petstore-mock';
const FORM = 'redis://[user:password@]host[:port][/database][?prefix=name], or rediss:// for TLS';

export type EngineAddress = ReturnType<typeof readEngineAddress>;

/** Reads the URL of an engine. Throws a `PetstoreMockError` that shows nothing of it, since it may hold a password. */
export function readEngineAddress(text: string) {
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
  return [...new Set(written.flatMap((each) => [each, decodeSafely(each)]))].filter((each) => each !== '');
}

function decodeSafely(text: string): string {
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

const bad = (problem: string): PetstoreMockError =>
  new PetstoreMockError('bad-option', `the option shared ${problem}.`);

/** What follows from how the engine is set up, as sentences; nothing where it does not tell. */
export async function adviseOnEngine(engine: Engine): Promise<string[]> {
  const told: string[] = [];
  if ((await read('appendonly', engine)) === 'no')
    told.push(
      `${engine.shown} has no append-only file (appendonly no): if it is killed while no replica runs, changes since its last snapshot are lost. Set appendonly yes to store them.`,
    );
  const policy = await read('maxmemory-policy', engine);
  if (policy?.startsWith('allkeys-') === true)
    told.push(
      `${engine.shown} may drop what replicas share when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
    );
  return told;
}

async function read(name: string, engine: Engine): Promise<string | undefined> {
  try {
    const [, value] = (await engine.call('CONFIG', 'GET', name)) as string[];
    return value;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
