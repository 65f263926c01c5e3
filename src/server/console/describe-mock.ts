import type { Operation } from '../../contract/model.js';
import { createKeyRing, isSame } from '../../mock/request/credentials.js';
import type { World } from '../../mock/world/world.js';
import { readPackageVersion } from '../../package-files.js';
import type { AdminAccess } from '../admin/guard.js';
import { DEFAULT_API_KEY } from '../options.js';
import { present } from './present.js';
import { SLICE, writeExample, type ExampleRequest } from './examples.js';

/** The facts about a mock for both pages: nothing that a user of the API could not find out. */
export interface AboutMock {
  version: string;
  /** The contract's title. */
  contract: { title: string; version: string; description: string | undefined; file: string };
  /** The mount path; `''` if there is none. */
  mountPath: string;
  basePath: string;
  /** The documented key, if it is accepted; a user's key is never shown. */
  key: string | undefined;
  /** Whether there is a console to link to; if not, why, as a sentence. */
  console: { isOn: boolean; why: string | undefined };
  operations: AboutOperation[];
}

export interface AboutOperation {
  id: string;
  method: string;
  /** The template. */
  path: string;
  summary: string;
  deprecated: boolean;
  sunset: string | undefined;
  /** Of the first few; the others are asked for when they are looked at. */
  example: ExampleRequest | undefined;
  /** The header fields that show the mock's documented key, if it needs one. */
  credentials: Record<string, string>;
  /** Its statuses in the contract. */
  statuses: string[];
}

export interface Surroundings {
  /** Whether the first operations have their examples. Default: `false`. */
  showsExamples?: boolean;
  mountPath: string;
  admin: AdminAccess | undefined;
}

export function describeMock(world: World, { mountPath, admin, showsExamples = false }: Surroundings): AboutMock {
  const { contract } = world;
  const { document } = contract;
  return {
    version: readPackageVersion(),
    contract: {
      title: contract.title,
      version: contract.version,
      description: document.textAt('/info/description'),
      file: document.file,
    },
    mountPath,
    basePath: contract.basePath,
    key: acceptsDefaultKey(world) ? DEFAULT_API_KEY : undefined,
    console: describeConsole(admin),
    operations: contract.operations.map((operation, index) =>
      describeOperation(operation, world, showsExamples && index < SLICE),
    ),
  };
}

function acceptsDefaultKey({ credentials }: World): boolean {
  const [wanted] = createKeyRing([DEFAULT_API_KEY]);
  return wanted !== undefined && credentials.keys.some((key) => isSame(key, wanted));
}

function describeConsole(admin: AdminAccess | undefined): AboutMock['console'] {
  const why = findReasonAgainst(admin);
  return { isOn: why === undefined, why };
}

function findReasonAgainst(admin: AdminAccess | undefined): string | undefined {
  if (admin === undefined) return 'The console needs an admin token where the mock is mounted in another app.';
  if (!admin.enabled) return 'The console is off, since the admin API is.';
  if (admin.token !== undefined || admin.loopback) return undefined;
  return 'The console is off, since other machines can reach this mock; start it with PETSTORE_MOCK_ADMIN_TOKEN set.';
}

function describeOperation(operation: Operation, world: World, showsExample: boolean): AboutOperation {
  const { id, method, path, deprecated, sunset, pointer, responses } = operation;
  const { document } = world.contract;
  return {
    id,
    method,
    path,
    summary: document.textAt(`${pointer}/summary`) ?? '',
    deprecated,
    sunset,
    example: showsExample ? writeExample(operation, world) : undefined,
    credentials: present(operation, world).headers,
    statuses: responses.map(({ status }) => status),
  };
}
