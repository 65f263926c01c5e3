import { createHash } from 'node:crypto';
import { printJson } from '../../../contract/document/json.js';
import type { World } from '../../../mock/world/world.js';
import { readPackageVersion } from '../../../package-files.js';

/** What all replicas of a mock must have in common, each part as a short text. */
export type Fingerprint = Readonly<Record<string, string>>;

export function takeFingerprint({
  contract,
  startProfile,
  startDelay,
  clock,
  faults,
  collections,
}: World): Fingerprint {
  return {
    'version of petstore-mock': readPackageVersion(),
    contract: `${contract.title} ${digest([contract.document.root, contract.corrections])}`,
    profile: digest([startProfile.choices, startProfile.values, startProfile.unknown, startProfile.seen]),
    delay: JSON.stringify(startDelay ?? 0),
    date: JSON.stringify(clock.start ?? 'today'),
    faults: digest(faults.save()),
    'max-pets': String(collections.capacity),
  };
}

const ADVICE =
  'All replicas must have the same version and settings. For an upgrade or another setting, stop all of them, and start all with another ?prefix=, or remove the keys of this one first. The shared state is not moved: GET /__admin/fixtures exports the records of a world before, and PUT /__admin/fixtures imports them afterwards';

/** Why a replica cannot share an engine with others, a sentence and what to do; `undefined` if it can. */
export function explainDifference(own: Fingerprint, others: Fingerprint, shown: string): string | undefined {
  const found = Object.keys(own).find((part) => own[part] !== others[part]);
  if (found === undefined) return undefined;
  const both = `there: ${others[found] ?? 'none'}, here: ${own[found]}`;
  return `this replica cannot use ${shown}: other replicas run, or ran, with another ${found} (${both}). ${ADVICE}`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(printJson(value)).digest('hex').slice(0, 12);
}
