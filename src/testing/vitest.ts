import { test as base, type TestAPI } from 'vitest';
import { startPetstoreMock, type PetstoreMock } from '../server/start-petstore-mock.js';
import type { ListeningOptions } from '../server/options.js';
import type { NamedWorld, RequestFilter, PetstoreWorlds } from '../server/petstore-world.js';
import { PetstoreMockError } from '../errors.js';

/** A petstore that only one test sees. */
export interface TestPetstore extends NamedWorld {
  /**
   * Lets this test break the contract on purpose: everything that it sends,
   * or everything that a filter selects, no longer fails it.
   * @example petstore.allowViolations({ operationId: 'createPet', status: 400 });
   */
  allowViolations(filter?: RequestFilter): void;
}

/** The fixtures of a test made by {@link createPetstoreTest}. */
export type PetstoreFixtures = { petstore: TestPetstore };

/**
 * vitest's `test`, with a petstore: each test that asks for `petstore` gets a world of its own on a server that all
 * tests of a worker share, so that tests may run concurrently. If something broke the contract in its world, the test
 * fails when it ends, unless it called `petstore.allowViolations()`.
 *
 * @example
 * import { test } from 'petstore-mock/vitest';
 *
 * test('sold pets are listed', async ({ petstore }) => {
 *   await petstore.pets.replace([{ name: 'Rex', categoryId: 1, status: 'sold' }]);
 *   expect(await myClient(petstore.url).listSold()).toHaveLength(1);
 * });
 */
export const test: TestAPI<PetstoreFixtures> = createPetstoreTest();

/**
 * The same as {@link test}, with a petstore made from these options.
 *
 * @example
 * const test = createPetstoreTest({ fixtures: 'empty' });
 */
export function createPetstoreTest(options: ListeningOptions = {}): TestAPI<PetstoreFixtures> {
  let made = 0;
  const join = keepCompany();
  return base.extend<PetstoreFixtures & { petstoreServer: PetstoreMock }>({
    petstoreServer: [
      // vitest reads from the pattern that no fixtures are needed.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const server = await startPetstoreMock(options);
        await use(server);
        await server.close();
      },
      { scope: 'worker' },
    ],
    petstore: async ({ petstoreServer }, use) => {
      made += 1;
      const world = petstoreServer.world(`test-${made}`);
      const allow: RequestFilter[] = [];
      const stay = await join(petstoreServer, allow);
      // An empty filter matches everything.
      await use({ ...world, allowViolations: (filter = {}) => void allow.push(filter) });
      try {
        await world.assertNoViolations({ allow });
        await stay.check(world.url);
      } finally {
        stay.end();
        await world.drop();
      }
    },
  });
}

type Filters = readonly RequestFilter[];

export interface Stay {
  /**
   * Rejects with `violations` if, in the meantime, a request that broke the contract reached no test's world, such as
   * one to a path without the base path. `url` is the URL of this test's API.
   */
  check(url: string): Promise<void>;
  end(): void;
}

/** Begins a test's stay; at its end, the violations that `allow` selects are permitted. */
export type Join = (server: PetstoreWorlds, allow: Filters) => Promise<Stay>;

/**
 * The tests that share a server. While several run, nobody can tell which of them sent a request that reached no world.
 */
export function keepCompany(): Join {
  let running = 0;
  /** What each test has allowed that ran since the last time that none was running. */
  let allowed: Filters[] = [];
  return async (server, allow) => {
    if (running === 0) {
      allowed = [];
      await server.requests.clear();
    }
    running += 1;
    allowed.push(allow);
    return {
      async check(url) {
        try {
          await server.assertNoViolations({ allow: allowed.flat() });
        } catch (error) {
          if (!(error instanceof PetstoreMockError)) throw error;
          const who = allowed.length > 1 ? 'by this test or one that ran at the same time, ' : '';
          const where = `It was sent ${who}to no test's petstore; the API of this test is at ${url}.`;
          throw new PetstoreMockError('violations', `${error.message}\n\n${where}`);
        }
      },
      end: () => void (running -= 1),
    };
  };
}
