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

/** In what a replica differs from the others, as a clause; `undefined` if in nothing. */
export function findDifference(own: Fingerprint, others: Fingerprint): string | undefined {
  const found = Object.keys(own).find((part) => own[part] !== others[part]);
  return found === undefined
    ? undefined
    : `it runs with another ${found} (there: ${others[found] ?? 'none'}, here: ${own[found]})`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(printJson(value)).digest('hex').slice(0, 12);
}
