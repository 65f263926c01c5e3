import { PetstoreMockError } from '../errors.js';
import type { PetstoreWorlds, RequestFilter } from '../server/petstore-world.js';

type Filters = readonly RequestFilter[];

/** One test's time on a server. */
export interface Stay {
  /**
   * Rejects with `violations` when something was sent meanwhile that reached no test's world and broke the contract, such
   * as a path without the base path. `url` is where the API of this test is.
   */
  check(url: string): Promise<void>;
  end(): void;
}

/** Begins a test's stay, which allows what stands in `allow` when it is over. */
export type Join = (server: PetstoreWorlds, allow: Filters) => Promise<Stay>;

/** The tests that share a server: whose it was that something was sent to no world cannot be told while several run. */
export function keepCompany(): Join {
  let running = 0;
  /** What each test allows that has run since the last time that none did. */
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
