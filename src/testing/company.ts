import { PetstoreMockError } from '../errors.js';
import type { PetstoreWorlds, RequestFilter } from '../server/petstore-world.js';

type Filters = readonly RequestFilter[];

/** One test's time on a shared server. */
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
