import { createHash } from 'node:crypto';
// Not the global, which tests may replace by a fake timer.
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers';
import { isIP } from 'node:net';
import type { Redis, RedisOptions } from 'ioredis';
import { PetstoreMockError } from '../../../errors.js';
import type { EngineAddress } from './engine-address.js';

/** A connection to an engine that speaks the protocol of Redis. It comes back by itself; what is asked meanwhile fails at once. */
export interface Engine {
  /** Runs a script. Rejects with an {@link EngineError}. */
  run(script: string, keys: readonly string[], args: readonly (string | number | Buffer)[]): Promise<unknown>;
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
  /** The whole name of a key. */
  key(name: string): string;
  /** Why nothing can be asked, a sentence without a full stop; `undefined` if it can. */
  readonly problem: string | undefined;
  readonly shown: string;
  close(): void;
}

/** What the engine refused, or that it could not be asked. The text holds no password. */
export class EngineError extends Error {
  /** The first word of a refusal, such as `OOM`, or the code of a refused certificate; `undefined` where no answer came. */
  readonly word: string | undefined;

  constructor(message: string, word: string | undefined) {
    super(message);
    this.word = word;
  }
}

/** No answer for so long means that there will be none. */
const PATIENCE_MS = 5000;
const MOST_BETWEEN_MS = 500;
/** A start waits for an engine that is starting as well. */
const START_PATIENCE_MS = 10_000;
const BETWEEN_STARTS_MS = 250;

/** Connects to an engine. Rejects with a `PetstoreMockError`. */
export async function connectEngine(address: EngineAddress, tell: (message: string) => void): Promise<Engine> {
  const Client = await loadClient();
  const until = performance.now() + START_PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    const engine = new ConnectedEngine(new Client(optionsFor(address)), address);
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

function optionsFor({
  host,
  port,
  db,
  username,
  password,
  isEncrypted,
}: EngineAddress): Omit<RedisOptions, 'replyMapping'> {
  return {
    host,
    port,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // A server is told the name that it was asked by, which an address is not (RFC 6066 section 3).
    ...(isEncrypted ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    lazyConnect: true,
    // Answers have the same form from every engine.
    protocol: 2,
    connectTimeout: PATIENCE_MS,
    // What was asked before a break may have been done; whoever asked has to find out.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * times, MOST_BETWEEN_MS),
  };
}

class ConnectedEngine implements Engine {
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

  /** Why it cannot be used; `undefined` if it can. */
  async connect(): Promise<EngineError | undefined> {
    try {
      await this.#client.connect();
      await this.call('PING');
      return undefined;
    } catch (error) {
      const refused = error instanceof EngineError ? error : this.#explain(error);
      return refused.word === undefined ? (this.#last ?? refused) : refused;
    }
  }

  key(name: string): string {
    return `${this.#address.prefix}:${name}`;
  }

  get problem(): string | undefined {
    if (this.#isReady) return undefined;
    return `${this.shown} cannot be reached${this.#last === undefined ? '' : ` (${this.#last.message})`}`;
  }

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
    const word = wordOf(message);
    // What the client says of itself helps nobody.
    const text = word === undefined ? (code ?? 'the connection broke') : message;
    const { password } = this.#address;
    const safe = password === undefined ? text : text.replaceAll(password, '[password]');
    return new EngineError(safe.replace(PLACE_IN_SCRIPT, '').replace(/\s*\.?\s*$/, ''), word);
  }
}

/** What the engine adds to a refusal of a command in a script. */
const PLACE_IN_SCRIPT = /\s*script: [0-9a-f]{40}, on @user_script:\d+\.?$/;

/** The codes that TLS has for a certificate that it does not accept. */
const UNTRUSTED = /CERT|ISSUER/;

/** Refusals of the engine begin with a word in capitals. */
function wordOf(message: string): string | undefined {
  return /^(?:ERR|[A-Z]{3,})(?= )/.exec(message)?.[0];
}
