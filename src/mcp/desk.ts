import { createRequestRedactor } from '../redact/secret-names.js';
import { listSecretParts } from '../contract/security/present-credentials.js';
import { createMocks, type Mocks, type MocksOptions } from './mocks/mocks.js';
import { createRuns, type Runs } from './runs.js';

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
