import type { ApiResponse, Operation } from '../../src/contract/model.js';
import { printJson } from '../../src/contract/document/json.js';
import type { RoleOperation } from '../../src/contract/resources/resource.js';
import { sampleValue } from '../../src/contract/samples/sample.js';
import { presentCredentials } from '../../src/contract/security.js';
import { handleRequest } from '../../src/mock/handle-request.js';
import type { Key, Kept } from '../../src/mock/store/kept.js';
import type { World } from '../../src/mock/world/world.js';
import { KEY } from './test-world.js';

/** What a client expects of any resource: what it did shows in what it asks next. Each entry is one thing that was otherwise. */
export function useResource(kept: Kept, world: World): string[] {
  // Of several operations in one role the first.
  const plain = kept.operations.filter(({ within }) => within === undefined).toReversed();
  const roles = new Map(plain.map((each) => [each.role, each]));
  const parents = findParents(kept, world);
  const client = createClient(kept, world, parents);
  const problems: string[] = [];
  const expect = (what: string, holds: boolean, answer: ApiResponse): void => {
    if (!holds) problems.push(`${what}: ${answer.status} ${answer.body?.text ?? ''}`);
  };
  const newest = (): Readonly<Record<string, unknown>> | undefined =>
    world.collections.open(kept, parents).list({ order: 'newest-first', limit: 1 })[0]?.record;
  const before = world.collections.open(kept, parents).size;
  const [create, get, list, remove] = [roles.get('create'), roles.get('get'), roles.get('list'), roles.get('remove')];
  if (create !== undefined) {
    const answer = client.send(create);
    expect('a create is answered', answer.status < 300, answer);
    expect('a create adds one', world.collections.open(kept, parents).size === before + 1, answer);
  }
  const key = newest()?.[kept.key?.property ?? ''] as Key;
  const shows = (answer: ApiResponse): boolean =>
    answer.status < 300 && answer.body?.text.includes(printJson(key)) === true;
  if (get !== undefined) expect('what was created is there', shows(client.send(get, key)), client.send(get, key));
  // A list that must be asked for something in particular need not have it.
  const listsAll = list?.operation.parameters.every((each) => each.in !== 'query' || !each.required) === true;
  if (list !== undefined && listsAll) expect('what was created is listed', shows(client.send(list)), client.send(list));
  for (const role of ['replace', 'update'] as const) {
    const change = roles.get(role);
    if (change === undefined) continue;
    const answer = client.send(change, key);
    expect(`${role} is answered`, answer.status < 300, answer);
    expect(
      `${role} adds none`,
      world.collections.open(kept, parents).size === before + (create === undefined ? 0 : 1),
      answer,
    );
  }
  if (remove !== undefined) {
    const answer = client.send(remove, key);
    expect('a removal is answered', answer.status < 300, answer);
    if (get !== undefined)
      expect('what was removed is gone', client.send(get, key).status === 404, client.send(get, key));
    expect('it is removed once', client.send(remove, key).status === 404, answer);
  }
  return problems;
}

/** The keys of records to which a collection belongs. */
function findParents(kept: Kept, world: World): Key[] {
  const parent = world.collections.kept.find(({ name }) => name === kept.parent?.resource);
  if (parent === undefined) return kept.scope.map(() => 'any');
  const above = findParents(parent, world);
  const record = world.collections.open(parent, above).list({ order: 'oldest-first', limit: 1 })[0]?.record;
  return [...above, record?.[parent.key?.property ?? ''] as Key];
}

type Client = { send(role: RoleOperation, key?: Key): ApiResponse };

function createClient(kept: Kept, world: World, within: readonly Key[]): Client {
  const { contract } = world;
  const sampleOf = (pointer: string | undefined): unknown =>
    pointer === undefined ? 'x' : sampleValue(contract.document, pointer);
  const textOf = (pointer: string | undefined): string => encodeURIComponent(String(sampleOf(pointer)));
  return {
    send({ role, operation, keyIn, requestMember }, key) {
      const values = [...within, key];
      const path = operation.path.replace(/\{[^{}]+\}/g, () => encodeURIComponent(String(values.shift())));
      const required = operation.parameters.filter((each) => each.required);
      const query = required.flatMap((each) =>
        each.in === 'query' ? [`${each.name}=${textOf(each.schemaPointer)}`] : [],
      );
      const headers = required.flatMap((each) =>
        each.in === 'header' ? [[each.name.toLowerCase(), String(sampleOf(each.schemaPointer))]] : [],
      );
      const shown = presentCredentials(operation.security[0] ?? [], () => KEY);
      const content = findContent(operation);
      const body = content?.schemaPointer === undefined ? undefined : sampleOf(content.schemaPointer);
      const named = keyIn === 'body' ? key : role === 'create' ? freshKey(kept) : undefined;
      if (requestMember === undefined) nameRecord(body, named, kept);
      return handleRequest(
        {
          method: operation.method,
          path: `${contract.basePath}${path}`,
          mountPath: '',
          query: [...query, ...shown.query.map(([name, value]) => `${name}=${value}`)].join('&'),
          headers: {
            ...(Object.fromEntries(headers) as Record<string, string>),
            ...Object.fromEntries(Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value])),
            ...(content === undefined ? {} : { 'content-type': content.mediaType }),
          },
          body: body === undefined ? undefined : new TextEncoder().encode(printJson(body)),
        },
        world,
      );
    },
  };
}

/** Who names what it creates names it as nothing else is. */
function freshKey({ key }: Kept): Key | undefined {
  if (key === undefined || key.givenBy === 'service') return undefined;
  return { integer: 987_654, uuid: '00000000-0000-4000-8000-000000987654', text: 'fresh' }[key.kind];
}

function nameRecord(body: unknown, key: Key | undefined, kept: Kept): void {
  if (key === undefined || kept.key === undefined || typeof body !== 'object' || Array.isArray(body)) return;
  Object.assign(body as object, { [kept.key.property]: key });
}

function findContent({ requestBody }: Operation): { mediaType: string; schemaPointer: string | undefined } | undefined {
  return requestBody?.content.find(({ mediaType }) => mediaType.includes('json'));
}
