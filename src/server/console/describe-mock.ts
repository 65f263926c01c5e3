import type { Operation } from '../../contract/model.js';
import { createKeyRing, isSame, challenge } from '../../mock/request/credentials.js';
import type { World } from '../../mock/world/world.js';
import { readPackageVersion, packageFile } from '../../package-files.js';
import type { AdminAccess } from '../admin/guard.js';
import { DEFAULT_API_KEY } from '../options.js';
import { fillRequest, recordsOf } from '../example-requests/fill-request.js';
import { readText, rejectEndless } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import type { SourcePlace } from '../../errors.js';
import { chooseCombination, presentCredentials, type Presented } from '../../contract/security.js';

type Surroundings = { showsExamples?: boolean; mountPath: string; admin: AdminAccess | undefined };

/** The facts about a mock for both pages: nothing that a user of the API could not find out. The page has the types. */
export function describeMock(world: World, { mountPath, admin, showsExamples = false }: Surroundings) {
  const { contract, credentials } = world;
  const { document, title, version, basePath } = contract;
  const [key] = createKeyRing([DEFAULT_API_KEY]) as [Uint8Array];
  const why = findReasonAgainst(admin);
  return {
    version: readPackageVersion(),
    contract: { title, version, description: document.textAt('/info/description'), file: document.file },
    mountPath,
    basePath,
    // A user's key is never shown.
    key: credentials.keys.some((each) => isSame(each, key)) ? DEFAULT_API_KEY : undefined,
    console: { isOn: why === undefined, why },
    operations: contract.operations.map((operation, index) => {
      const { id, method, path, deprecated, sunset, pointer, responses } = operation;
      return {
        id,
        method,
        path,
        summary: document.textAt(`${pointer}/summary`) ?? '',
        deprecated,
        sunset,
        // Of the first few; the others are asked for when they are looked at.
        example: showsExamples && index < SLICE ? writeExample(operation, world) : undefined,
        credentials: present(operation, world).headers,
        statuses: responses.map(({ status }) => status),
      };
    }),
  };
}

function findReasonAgainst(admin: AdminAccess | undefined): string | undefined {
  if (admin === undefined) return 'The console needs an admin token where the mock is mounted in another app.';
  if (!admin.enabled) return 'The console is off, since the admin API is.';
  if (admin.token !== undefined || admin.loopback) return undefined;
  return 'The console is off, since other machines can reach this mock; start it with PETSTORE_MOCK_ADMIN_TOKEN set.';
}

/** How many are made at once: whoever opens a page waits for no more. */
const SLICE = 12;

export function listExamples(world: World, from: string | null): Record<string, ReturnType<typeof writeExample>> {
  const { operations } = world.contract;
  const at = operations.findIndex(({ id }) => id === from);
  const slice = at < 0 ? [] : operations.slice(at, at + SLICE);
  return Object.fromEntries(slice.map((operation) => [operation.id, writeExample(operation, world)]));
}

/** A request of an operation to copy. In a large contract, it takes milliseconds to make one. */
export function writeExample(operation: Operation, world: World) {
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

export type Excerpt = { file: string; from: number; lines: string[]; line: number };

const BEFORE = 3;
const AFTER = 4;
const MOST_OF_LINE = 200;

/** The lines around a place in the contract; `undefined` if the file can no longer be read. */
export function cutExcerpt({ file, line }: SourcePlace, { document }: Contract): Excerpt | undefined {
  if (line === undefined) return undefined;
  try {
    // Shipped files are named by their place in the package, not in the working directory.
    const path = document.createValidators === undefined ? file : packageFile(file);
    // Since the start it may have become a pipe.
    rejectEndless(path);
    const all = readText(path).split(/\r?\n/);
    if (line > all.length) return undefined;
    const from = Math.max(1, line - BEFORE);
    return { file, from, lines: all.slice(from - 1, line + AFTER).map((each) => each.slice(0, MOST_OF_LINE)), line };
  } catch {
    return undefined;
  }
}

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
