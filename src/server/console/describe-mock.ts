import type { Operation } from '../../contract/model.js';
import { createKeyRing, isSame, challenge } from '../../mock/request/credentials.js';
import type { World } from '../../mock/world/world.js';
import { readPackageVersion, packageFile } from '../../package-files.js';
import type { AdminAccess } from '../admin/guard.js';
import { DEFAULT_API_KEY } from '../options.js';
import { type WrittenField, fillRequest, recordsOf } from '../example-requests/fill-request.js';
import { readText, rejectEndless } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import type { SourcePlace } from '../../errors.js';
import { chooseCombination, presentCredentials, type Presented } from '../../contract/security.js';

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

interface AboutOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  deprecated: boolean;
  sunset: string | undefined;
  example: ExampleRequest | undefined;
  credentials: Record<string, string>;
  statuses: string[];
}

interface Surroundings {
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

interface ExampleRequest {
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  mediaType: string | undefined;
  json: string | undefined;
  form: readonly WrittenField[] | undefined;
}

/** How many are made at once: whoever opens a page waits for no more. */
const SLICE = 12;

/** The examples of an operation and of those after it, by operationId. */
export function listExamples(world: World, from: string | null): Record<string, ExampleRequest> {
  const { operations } = world.contract;
  const at = operations.findIndex(({ id }) => id === from);
  const slice = at < 0 ? [] : operations.slice(at, at + SLICE);
  return Object.fromEntries(slice.map((operation) => [operation.id, writeExample(operation, world)]));
}

/** A request of an operation to copy. In a large contract, it takes milliseconds to make one. */
export function writeExample(operation: Operation, world: World): ExampleRequest {
  const shown = present(operation, world);
  const { path, query, headers, body } = fillRequest(operation, world.contract, recordsOf(world));
  const whole = [...query, ...shown.query.map(([name, value]) => `${name}=${value}`)];
  return {
    path: whole.length === 0 ? path : `${path}?${whole.join('&')}`,
    headers: { ...headers, ...shown.headers },
    body: body?.text,
    mediaType: body?.mediaType,
    json: body?.json,
    form: body?.form,
  };
}

/** Some lines of the contract around a certain one. */
export interface Excerpt {
  file: string;
  /** The number of the first line. */
  from: number;
  lines: string[];
  /** The number of the line in question. */
  line: number;
}

const BEFORE = 3;
const AFTER = 4;
const MOST_OF_LINE = 200;

/** The lines around a place in the contract; `undefined` if the file can no longer be read. */
export function cutExcerpt({ file, line }: SourcePlace, contract: Contract): Excerpt | undefined {
  if (line === undefined) return undefined;
  const all = readLines(file, contract);
  if (all === undefined || line > all.length) return undefined;
  const from = Math.max(1, line - BEFORE);
  const lines = all.slice(from - 1, line + AFTER).map((each) => each.slice(0, MOST_OF_LINE));
  return { file, from, lines, line };
}

function readLines(file: string, { document }: Contract): string[] | undefined {
  const isShipped = document.createValidators !== undefined;
  try {
    const path = isShipped ? packageFile(file) : file;
    // Since the start it may have become a pipe.
    rejectEndless(path);
    return readText(path).split(/\r?\n/);
  } catch {
    return undefined;
  }
}

/** Placeholder for a user's key. */
export const KEY_VARIABLE = '$PETSTORE_API_KEY';

/** The credentials to show for an operation: the documented key, if it is accepted. */
export function present(operation: Operation, world: World): Presented {
  const combination = chooseCombination(operation.security, () => true);
  const shown = presentCredentials(combination, () => DEFAULT_API_KEY);
  const query = shown.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const headers = Object.fromEntries(Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { method, path } = operation;
  const request = { method, path, mountPath: '', query, headers, body: undefined };
  if (challenge(request, operation.security, world) === undefined) return shown;
  // A pair is sent in Base64, in which a variable cannot be inserted.
  return presentCredentials(
    combination.filter(({ kind }) => kind !== 'basic'),
    () => KEY_VARIABLE,
  );
}
