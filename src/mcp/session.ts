import { type Contract, loadContract } from '../contract/contract.js';
import { PetstoreMockError } from '../errors.js';
import type { World } from '../mock/world/world.js';
import type { Worlds } from '../mock/world/worlds.js';
import type { PetstoreWorlds } from '../server/petstore-world.js';
import { suggest } from '../suggest.js';
import { checkOptions, OF_A_SERVER } from '../options/petstore-options.js';
import { listShippedPacks } from '../mock/fixtures/load-fixtures.js';
import { createHandles } from '../server/handles/create-handles.js';
import { DEFAULT_API_KEY, DEFAULT_HOST, type ListeningOptions } from '../server/options.js';
import { setUp } from '../server/set-up.js';
import { startServer } from '../server/start-petstore-mock.js';
import { ADMIN_PATH } from '../server/world-names.js';
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { packageFile } from '../package-files.js';
import { connectPetstoreMock } from '../testing/connect-petstore-mock.js';
import { createRequestRedactor } from '../redact/redactor.js';
import { listSecretParts } from '../contract/security.js';
import type { RunResult } from '../conformance/model/result.js';
import { isOnThisMachine, showTarget } from '../conformance/http/request-credentials.js';

/** So many mocks are known at a time. */
const MOST = 8;

interface ReachedMock {
  handles: PetstoreWorlds;
  contract: Contract;
  /** The file of its contract; `undefined` for the shipped one. */
  spec: string | undefined;
  enter?: (world: string) => World | undefined;
  adminUrl?: string | undefined;
  apiKey: string | undefined;
  close: () => Promise<void>;
}

/** {@link ReachedMock} by a name of its own. */
export type KnownMock = ReachedMock & { name: string };

/** How mocks come about; the tools of a running mock have that one from the start, and no more. */
interface MocksOptions {
  start?: (options: Readonly<Record<string, unknown>>) => Promise<ReachedMock>;
  find?: (url: string, spec: string | undefined) => Promise<ReachedMock>;
  own?: ReachedMock;
}

type Mocks = ReturnType<typeof createMocks>;

function createMocks({ start, find, own }: MocksOptions) {
  const known: KnownMock[] = own === undefined ? [] : [{ ...own, name: 'mock' }];
  let count = 0;
  const add = async (reach: (() => Promise<ReachedMock>) | undefined): Promise<KnownMock> => {
    if (reach === undefined) throw refuse(ONLY_OWN);
    if (known.length >= MOST) throw refuse(`there are ${MOST} mocks; stop one of ${listNames(known)} first.`);
    const reached = await reach();
    count += 1;
    const mock = { ...reached, name: `mock-${count}` };
    known.push(mock);
    return mock;
  };
  return {
    start: (options: Readonly<Record<string, unknown>>) => add(start && (() => start(options))),
    find: (url: string, spec: string | undefined) => add(find && (() => find(url, spec))),
    /** The named one, or the latest. Throws `bad-option` if there is none. */
    get(name?: unknown): KnownMock {
      const found = name === undefined ? known.at(-1) : known.find((each) => each.name === name);
      if (found !== undefined) return found;
      if (known.length === 0) throw refuse('there is no mock yet; call mock with do=start, or do=find and a url.');
      const names = known.map((each) => each.name);
      throw refuse(`there is no mock ${String(name)}${suggest(String(name), names)} There are ${names.join(', ')}.`);
    },
    list: (): readonly KnownMock[] => known,
    async stop(mock: KnownMock): Promise<void> {
      if (mock.name === 'mock') throw refuse('this mock serves the tools themselves, so they do not stop it.');
      known.splice(known.indexOf(mock), 1);
      await mock.close();
    },
    close: async () => void (await Promise.all(known.splice(0).map((mock) => mock.close()))),
  };
}

const ONLY_OWN =
  'these tools belong to a running mock and start or find no other; petstore-mock mcp has tools that do.';

function listNames(mocks: readonly { name: string }[]): string {
  return mocks.map(({ name }) => name).join(', ');
}

/** What a call cannot have, with what to do instead. */
export function refuse(sentence: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', sentence);
}

/** The options with which a call may start a mock: none loads code, and none opens it to other machines. */
const STARTABLE = [
  ...(['spec', 'resources', 'fixtures', 'profile', 'count', 'seed'] as const),
  ...(['port', 'delay', 'now', 'faults', 'maxPets'] as const),
];
const RULES = Object.fromEntries(STARTABLE.map((name) => [name, OF_A_SERVER[name]])) as Pick<
  typeof OF_A_SERVER,
  (typeof STARTABLE)[number]
>;

type Startable = Pick<ListeningOptions, keyof typeof RULES>;

/** A world of this process by its name, where it can be entered. */
export function enterOf(worlds: Worlds): (name: string) => World | undefined {
  return (name) => {
    const entry = worlds.enter(name);
    return 'world' in entry ? entry.world : undefined;
  };
}

/** Starts a mock in this process, on loopback. Throws a `PetstoreMockError` for unusable options or files. */
export async function startMock(given: Readonly<Record<string, unknown>>, folder: string): Promise<ReachedMock> {
  const options = locate(given, folder);
  checkOptions(options, RULES);
  const { worlds, contract } = setUp(options);
  const server = await startServer(worlds, { host: DEFAULT_HOST, port: options.port ?? 0, cors: true });
  return {
    handles: createHandles(worlds, server.origin),
    contract,
    enter: enterOf(worlds),
    adminUrl: `${server.origin}${ADMIN_PATH}`,
    spec: options.spec,
    apiKey: DEFAULT_API_KEY,
    close: () => server.close(0),
  };
}

function locate(options: Startable, folder: string): Startable {
  const at = (path: unknown): string | undefined => (typeof path === 'string' ? ownFile(path, folder) : undefined);
  const { fixtures: pack, profile: choices } = options;
  const isShipped = typeof pack !== 'string' || listShippedPacks().includes(pack);
  const files = { spec: at(options.spec), resources: at(options.resources) };
  return {
    ...options,
    ...(files.spec === undefined ? {} : { spec: files.spec }),
    ...(files.resources === undefined ? {} : { resources: files.resources }),
    ...(isShipped ? {} : { fixtures: at(pack) }),
    ...(typeof choices === 'string' ? { profile: at(choices) } : {}),
  };
}

/**
 * The path of a file that a call names. Only what is in or below the folder of the server may be named, links followed:
 * messages about a file that cannot be used quote it. Throws `bad-option` for any other.
 */
export function ownFile(path: string, folder: string | undefined): string {
  if (folder === undefined) throw refuse('these tools read no files; leave the path out.');
  const root = follow(folder) ?? folder;
  const within = relative(root, follow(resolve(root, path)) ?? resolve(root, path));
  if (within === '..' || within.startsWith(`..${sep}`) || resolve(within) === within)
    throw refuse(`${path} is outside ${root}, where the server was started; start it in a folder that has the file.`);
  // Short where it can be: answers name it at every line of the contract.
  const near = relative('', resolve(root, within));
  return near.startsWith('..') || near === '' ? resolve(root, within) : near;
}

function follow(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const SHIPPED = 'spec/petstore.openapi.yaml';

/** Reaches a mock that runs already, by any URL of it. Its token comes from the environment. */
export async function findMock(
  url: string,
  { spec, token }: { spec: string | undefined; token: string | undefined },
): Promise<ReachedMock> {
  if (!URL.canParse(url)) throw refuse('the url is not valid; give that of the mock, such as http://127.0.0.1:4010.');
  const { origin } = new URL(url);
  const mock = await connectPetstoreMock(`${origin}${ADMIN_PATH}`, { token });
  const contract =
    spec === undefined
      ? loadContract(packageFile(SHIPPED), { shownAs: SHIPPED, trusted: true })
      : loadContract(spec, {});
  return { handles: mock, contract, spec, adminUrl: mock.adminUrl, apiKey: undefined, close: () => mock.close() };
}

/** What the person who started the server allows, which no call can widen. */
export interface Permissions {
  /** Origins, beside those of this machine, that may be tested: `https://staging.example`. */
  targets: readonly string[];
  /** Whether every address of this machine may be tested, or only the mock itself. */
  testsThisMachine: boolean;
  /** Whether a run may create records at targets that are not on this machine. */
  createsElsewhere: boolean;
  /** The environment variables from which a key may be taken. */
  variables: readonly string[];
  /** The value of such a variable. */
  readVariable: (name: string) => string | undefined;
  /** The folder in and below which files may be named; none if no file may be. */
  folder: string | undefined;
}

/** What all tools of a server share, and what stays between calls. */
export interface Desk {
  mocks: Mocks;
  runs: Runs;
  permissions: Permissions;
  /** Keeps a secret out of every answer from now on. */
  keepSecret: (secret: string) => void;
  redact: (text: string) => string;
  close: () => Promise<void>;
}

export function createDesk(permissions: Permissions, options: MocksOptions): Desk {
  const secrets = new Set<string>();
  let redact = createRequestRedactor([]);
  const mocks = createMocks(options);
  return {
    mocks,
    runs: createRuns(),
    permissions,
    keepSecret(secret) {
      if (secrets.has(secret)) return;
      secrets.add(secret);
      redact = createRequestRedactor([...secrets].flatMap(listSecretParts));
    },
    redact: (text) => redact(text),
    close: () => mocks.close(),
  };
}

/** So many results are kept for `explain` and `gaps`. */
const MOST_KEPT = 5;
/** So many runs go on at a time. */
const MOST_AT_ONCE = 3;

/** A run of the suite that a tool started. */
export type KnownRun = { name: string; result: RunResult };

type Runs = ReturnType<typeof createRuns>;

function createRuns() {
  const kept: KnownRun[] = [];
  let count = 0;
  let underWay = 0;
  return {
    /** The named one, or the latest. Throws `bad-option` if there is none. */
    find(name?: string): KnownRun {
      const found = name === undefined ? kept.at(-1) : kept.find((each) => each.name === name);
      if (found !== undefined) return found;
      const there = kept.length === 0 ? 'there is none yet; call conformance first' : `there are ${listNames(kept)}`;
      throw refuse(`there is no run${name === undefined ? '' : ` ${name}`}: ${there}.`);
    },
    /** Runs a suite under a name of its own. Throws `bad-option` if too many are under way. */
    async add(run: () => Promise<RunResult>): Promise<KnownRun> {
      if (underWay >= MOST_AT_ONCE)
        throw refuse(`${MOST_AT_ONCE} runs are under way; wait for one of them, or cancel it.`);
      underWay += 1;
      try {
        const result = await run();
        count += 1;
        const known = { name: `run-${count}`, result };
        kept.push(known);
        if (kept.length > MOST_KEPT) kept.shift();
        return known;
      } finally {
        underWay -= 1;
      }
    },
  };
}

/**
 * Throws `bad-option` for a service that no call may test, or steer as a mock: a request there may carry a key or a token.
 * Other machines belong to somebody who has to be asked, and that is whoever started the server.
 */
export function checkTarget(url: URL, { targets, testsThisMachine }: Permissions): void {
  if (targets.includes(url.origin) || (isOnThisMachine(url) && testsThisMachine)) return;
  const why = testsThisMachine
    ? `it is not on this machine, and the server was started without --allow-target ${url.origin}. Only a person can allow that.`
    : 'other machines can reach these tools, so they use only the mock; petstore-mock mcp can test other services.';
  throw refuse(`${showTarget(url)} may not be used: ${why}`);
}
