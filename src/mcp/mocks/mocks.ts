import type { Contract } from '../../contract/contract.js';
import { PetstoreMockError } from '../../errors.js';
import type { World } from '../../mock/world/world.js';
import type { PetstoreWorlds } from '../../server/petstore-world.js';
import { suggest } from '../../suggest.js';

/** So many mocks are known at a time. */
const MOST = 8;

/** A mock that the tools can steer, wherever it runs. */
export interface ReachedMock {
  handles: PetstoreWorlds;
  contract: Contract;
  /** The file of its contract; `undefined` for the shipped one. */
  spec: string | undefined;
  /** Its world of this name, where it runs in this process: for examples with keys of records that there are. */
  enter?: (world: string) => World | undefined;
  adminUrl?: string | undefined;
  /** A key that it accepts; only the documented one is shown. */
  apiKey: string | undefined;
  /** Stops it, if it was started here; else lets it go. */
  close: () => Promise<void>;
}

/** {@link ReachedMock} by a name of its own. */
export interface KnownMock extends ReachedMock {
  name: string;
}

/** How mocks come about; the tools of a running mock have no more than that one. */
export interface MocksOptions {
  start?: (options: Readonly<Record<string, unknown>>) => Promise<ReachedMock>;
  find?: (url: string, spec: string | undefined) => Promise<ReachedMock>;
  /** The mock that there is from the start. */
  own?: ReachedMock;
}

/** The mocks of a server, by name. */
export interface Mocks {
  start(options: Readonly<Record<string, unknown>>): Promise<KnownMock>;
  find(url: string, spec: string | undefined): Promise<KnownMock>;
  /** The named one, or the latest. Throws `bad-option` if there is none. */
  get(name?: unknown): KnownMock;
  list(): readonly KnownMock[];
  stop(mock: KnownMock): Promise<void>;
  close(): Promise<void>;
}

export function createMocks({ start, find, own }: MocksOptions): Mocks {
  const known: KnownMock[] = own === undefined ? [] : [{ ...own, name: 'mock' }];
  let count = 0;
  const add = async (reach: () => Promise<ReachedMock>): Promise<KnownMock> => {
    if (known.length >= MOST) throw refuse(`there are ${MOST} mocks; stop one of ${listNames(known)} first.`);
    const reached = await reach();
    count += 1;
    const mock = { ...reached, name: `mock-${count}` };
    known.push(mock);
    return mock;
  };
  return {
    async start(options) {
      if (start === undefined) throw refuse(ONLY_OWN);
      return add(() => start(options));
    },
    async find(url, spec) {
      if (find === undefined) throw refuse(ONLY_OWN);
      return add(() => find(url, spec));
    },
    get: (name) => findByName(known, name),
    list: () => known,
    async stop(mock) {
      if (mock.name === 'mock') throw refuse('this mock serves the tools themselves, so they do not stop it.');
      known.splice(known.indexOf(mock), 1);
      await mock.close();
    },
    close: async () => void (await Promise.all(known.splice(0).map((mock) => mock.close()))),
  };
}

const ONLY_OWN =
  'these tools belong to a running mock and start or find no other; petstore-mock mcp has tools that do.';

function findByName(known: readonly KnownMock[], name: unknown): KnownMock {
  const found = name === undefined ? known.at(-1) : known.find((each) => each.name === name);
  if (found !== undefined) return found;
  if (known.length === 0) throw refuse('there is no mock yet; call mock with do=start, or do=find and a url.');
  const names = known.map((each) => each.name);
  throw refuse(`there is no mock ${String(name)}${suggest(String(name), names)} There are ${names.join(', ')}.`);
}

function listNames(mocks: readonly KnownMock[]): string {
  return mocks.map(({ name }) => name).join(', ');
}

function refuse(sentence: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', sentence);
}
