import type { Fault } from '../../mock/faults/faults.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import type { PetstoreWorld } from '../../server/petstore-world.js';
import { checkTarget, type KnownMock, ownFile, refuse } from '../session.js';
import { only, textOf, type Arguments, type McpTool, type ToolAnswer, type ToolCall } from '../tool.js';

const DEEDS = ['start', 'find', 'show', 'stop', 'reset', 'fault', 'clear-faults', 'clock', 'profile'] as const;
type Deed = (typeof DEEDS)[number];

/** So many resources and faults are named. */
const MOST = 20;

/** Starts or finds a mock, and steers it. */
export const mockTool: McpTool = {
  name: 'mock',
  title: 'Start, find or control a mock',
  description:
    'A stateful mock of an OpenAPI contract. start: options of petstore-mock. find: a running one by url. reset: records, faults, clock and requests as at the start. fault: break or set responses.',
  properties: {
    do: { enum: DEEDS },
    mock: { type: 'string', description: 'its name; default: the latest' },
    world: { type: 'string', description: 'one isolated set of records and requests' },
    spec: { type: 'string', description: 'OpenAPI file; default: the petstore' },
    url: { type: 'string' },
    options: {
      type: 'object',
      description: 'start: port, fixtures (a pack such as empty), count, seed, delay, now, profile (a file)',
    },
    fault: {
      type: 'object',
      description:
        '{operationId, times, rate, when: {status, query, body}, effect: {status: 503, retryAfter} | {delay: ms} | {reset: true} | {truncate: true} | {answer: {status, body}}}',
    },
    date: { type: 'string', description: 'clock: a date, or +seconds' },
    choices: { type: 'object', description: 'profile: {gap: choice} of gaps' },
    run: { type: 'string', description: 'profile: do as the target of this run did' },
  },
  required: ['do'],
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  run: async (given, call) => {
    const mock = await reach(given, call);
    if (given['do'] === 'stop') {
      await call.desk.mocks.stop(mock);
      return { text: `${mock.name} is stopped.`, data: { mock: mock.name, stopped: true } };
    }
    const world = worldOf(mock, given);
    const said = await STEERED[given['do'] as Deed]?.(world, given, call);
    return describe(mock, world, said);
  },
};

/** The world of a call. */
export function worldOf({ handles }: KnownMock, { world }: Arguments): PetstoreWorld {
  return typeof world === 'string' && world !== 'default' ? handles.world(world) : handles;
}

async function reach(given: Arguments, { desk }: ToolCall): Promise<KnownMock> {
  const { mocks, permissions } = desk;
  const spec = typeof given['spec'] === 'string' ? ownFile(given['spec'], permissions.folder) : undefined;
  const options = { ...(given['options'] as object | undefined), ...(spec === undefined ? {} : { spec }) };
  if (given['do'] === 'start') return mocks.start(options);
  if (given['do'] !== 'find') return mocks.get(given['mock']);
  if (typeof given['url'] !== 'string') throw refuse('find needs the url of the mock, such as http://127.0.0.1:4010.');
  if (URL.canParse(given['url'])) checkTarget(new URL(given['url']), permissions);
  return mocks.find(given['url'], spec);
}

type Steer = (world: PetstoreWorld, given: Arguments, call: ToolCall) => Promise<string | undefined>;

/** What each deed does to a world, and says. */
const STEERED: Readonly<Partial<Record<Deed, Steer>>> = {
  async reset(world) {
    await world.reset();
    return 'records, faults, delay, clock and requests are as at the start';
  },
  async fault(world, given) {
    if (given['fault'] === undefined) throw refuse('fault is missing: { operationId, effect: { status: 503 } }.');
    const { id } = await world.faults.add(given['fault'] as Fault);
    return `${id} is planted`;
  },
  async 'clear-faults'(world) {
    await world.faults.clear();
    return 'no fault is left';
  },
  async clock(world, given) {
    const { date } = given;
    if (typeof date !== 'string')
      throw refuse('date is missing: a date such as 2030-12-05, or +3600 for an hour later.');
    if (/^\+\d{1,10}$/.test(date)) await world.clock.advance(Number(date.slice(1)) * 1000);
    else await world.clock.set(date);
    return undefined;
  },
  async profile(world, given, { desk }) {
    const { choices } = given;
    const run = textOf(given, 'run');
    if (run === undefined && choices === undefined)
      throw refuse('choices is missing: { gap: choice }; gaps lists both.');
    const taken = run === undefined ? {} : await takeObserved(world, desk.runs.find(run).result.gaps);
    await world.profile.choose({ ...taken, ...(choices as Record<string, string> | undefined) });
    return run === undefined ? 'the choices are made' : `${Object.keys(taken).length} choices are those of the target`;
  },
};

async function takeObserved(
  world: PetstoreWorld,
  gaps: readonly { id: string; kind: string; answer: unknown }[],
): Promise<Record<string, string>> {
  const { choices } = await world.profile.get();
  const named = gaps.filter(({ id, kind, answer }) => kind === 'choice' && id in choices && !UNSAID.has(answer));
  return Object.fromEntries(named.map(({ id, answer }) => [id, String(answer)]));
}

const UNSAID: ReadonlySet<unknown> = new Set(['not-observed', 'other']);

async function describe(mock: KnownMock, world: PetstoreWorld, said: string | undefined): Promise<ToolAnswer> {
  const { contract } = mock;
  const [collections, faults, now, profile, requests, violations] = await Promise.all([
    world.collections(),
    world.faults.list(),
    world.clock.now(),
    world.profile.get(),
    world.requests.count(),
    world.violations(),
  ]);
  const key = mock.apiKey === DEFAULT_API_KEY ? DEFAULT_API_KEY : undefined;
  const records = collections
    .slice(0, MOST)
    .map(({ name, count }) => (count === undefined ? name : `${name} ${count}`));
  const planted = faults.slice(0, MOST).map(({ id, operationId = '*', hits }) => `${id} ${operationId} ${hits} hits`);
  const data = only({
    mock: mock.name,
    world: world.name,
    did: said,
    url: world.url,
    key,
    contract: `${contract.title} ${contract.version}`,
    operations: contract.operations.length,
    records,
    recordsLeftOut: collections.length - records.length,
    faults: planted,
    now: now.toISOString(),
    profile: profile.name,
  });
  const lines = [
    `${mock.name}${world.name === 'default' ? '' : `, world ${world.name}`}: ${data.contract ?? ''}, ${contract.operations.length} operations${said === undefined ? '' : `; ${said}`}`,
    `url ${world.url}${key === undefined ? '' : `  key ${key}`}`,
    `${requests} requests, ${violations.length} with a side at fault; clock ${now.toISOString()}; profile ${profile.name}`,
    ...(records.length === 0 ? [] : [`records: ${records.join(', ')}${more(collections.length - records.length)}`]),
    ...(planted.length === 0 ? [] : [`faults: ${planted.join(', ')}${more(faults.length - planted.length)}`]),
  ];
  return { text: lines.join('\n'), data: { ...data, requests, violations: violations.length } };
}

function more(count: number): string {
  return count <= 0 ? '' : ` and ${count} more`;
}
