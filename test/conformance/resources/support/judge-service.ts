// What a run finds in each of the services that stand in this folder, with some of their habits changed.
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import type { ConformanceOptions } from '../../../../src/conformance/index.js';
import { packageFile } from '../../../../src/package-files.js';
import { SHOP_KEY, startShop } from '../shop-server.js';
import { BILLING_KEY, startBilling } from './billing-server.js';
import { DEPOT_TOKENS, STAFF_KEY, startDepot } from './depot-server.js';
import { startPayees } from './payees-server.js';
import type { ServicePlan } from './plan.js';
import { ROOMS_KEY, startRooms } from './rooms-server.js';
import { startService } from './service.js';
import { DESK_KEY, DESK_LOGIN, LIBRARY_TOKEN } from './services.js';
import { startToolshed, TOOLSHED_KEY } from './toolshed-server.js';
import { startWorkshop, WORKSHOP_TOKEN } from './workshop-server.js';

type Given = Omit<ConformanceOptions, 'target' | 'spec'>;

/** Services that show something late need that time; the others need none. */
const LATE = /^late(?:-lists|-filters|-removal)?$/;
/**
 * What stands beside a record, or is the newest, is of the scenario that made it, not of another one that runs at the time. What
 * shows late is late anew for each change of another scenario, so that on a busy machine no look of a run finds it settled.
 */
const OF_ONE = /neighbour|newest|^late/;

async function judge<S extends { url: string; close: () => Promise<void> }, Seen extends object>(
  starting: Promise<S>,
  [spec, given]: readonly [spec: string, given: Given],
  {
    changes = [],
    only = [],
    see,
  }: { changes?: readonly string[]; only?: readonly string[]; see: (service: S) => Seen },
): Promise<RunResult & Seen> {
  const service = await starting;
  try {
    const result = await runConformance({
      target: service.url,
      spec: specOf(spec),
      ...given,
      ...(only.length === 0 ? {} : { only }),
      ...(changes.some((change) => OF_ONE.test(change)) ? { concurrency: 1 } : {}),
      settleMs: changes.some((change) => LATE.test(change)) ? 2000 : 30,
    });
    return { ...result, ...see(service) };
  } finally {
    await service.close();
  }
}

function specOf(name: string): string {
  return packageFile(`test/conformance/resources/${name === 'shop' ? '' : 'support/'}${name}.openapi.yaml`);
}

type Names = readonly string[];
type Judge = (changes?: Names, only?: Names) => Promise<RunResult>;
const see = (): object => ({});

const KEYS: Readonly<Record<string, Given>> = {
  helpdesk: { apiKey: DESK_KEY, credentials: { deskKey: DESK_KEY, deskLogin: DESK_LOGIN } },
  library: { apiKey: LIBRARY_TOKEN },
};

export function judgeService(plan: ServicePlan, changes: Names = [], only: Names = []): Promise<RunResult> {
  const given = KEYS[plan.name] ?? { apiKey: 'none' };
  return judge(startService(plan, ...changes), [plan.name, given], { changes, only, see });
}

export const judgeShop: Judge = (changes = [], only = []) =>
  judge(startShop(...changes), ['shop', { apiKey: SHOP_KEY }], { changes, only, see });
export const judgeBilling: Judge = (changes = [], only = []) =>
  judge(startBilling(...changes), ['billing', { apiKey: BILLING_KEY }], { changes, only, see });
export const judgePayees: Judge = (changes = [], only = []) =>
  judge(startPayees(...changes), ['payees', { apiKey: 'none' }], { changes, only, see });
export const judgeRooms: Judge = (changes = [], only = []) =>
  judge(startRooms(...changes), ['rooms', { apiKey: ROOMS_KEY }], { changes, only, see });
export const judgeToolshed: Judge = (changes = [], only = []) =>
  judge(startToolshed(...changes), ['toolshed', { apiKey: TOOLSHED_KEY }], { changes, only, see });

export const DEPOT_SPEC = specOf('depot');

/** Tokens for each scope that the depot's operations ask for. */
export const SOME_TOKENS: Readonly<Record<string, string>> = {
  oauth: DEPOT_TOKENS.full,
  'oauth[]': DEPOT_TOKENS.none,
  'oauth[parcels:read]': DEPOT_TOKENS.reader,
  'oauth[parcels:write]': DEPOT_TOKENS.writer,
  staffKey: STAFF_KEY,
};

export function judgeDepot(
  changes: Names = [],
  only: Names = [],
  credentials: Readonly<Record<string, string>> = SOME_TOKENS,
): Promise<RunResult & { requests: number }> {
  return judge(startDepot(...changes), ['depot', { apiKey: credentials['oauth'] ?? '', credentials }], {
    changes,
    only,
    see: (depot) => ({ requests: depot.requests() }),
  });
}

export const WORKSHOP_SPEC = specOf('workshop');

/** With how many records of the run's are still there, and where something was put before it was known that nothing was there. */
export function judgeWorkshop(
  changes: Names = [],
  only: Names = [],
): Promise<RunResult & { requests: number; left: number; unproven: readonly string[] }> {
  return judge(startWorkshop(...changes), ['workshop', { apiKey: WORKSHOP_TOKEN }], {
    changes,
    only,
    see: (shop) => ({ requests: shop.requests(), left: shop.left(), unproven: shop.unproven() }),
  });
}

export const listDeviating = ({ scenarios }: RunResult): string[] =>
  scenarios.filter(({ verdict }) => verdict === 'deviated').map(({ id }) => id);
