import type { SetUp } from '../../server/set-up.js';
import type { Settings } from './settings.js';
import { countRecords } from './count-records.js';
import { spellOut, spellOutLines } from '../../redact/spell-out.js';
import { describeCredentials } from './describe/describe-credentials.js';
import { describeOperations } from './describe/describe-operations.js';
import { formatCurl } from './format-curl.js';
import { readEngineAddress } from '../../server/lasting/shared/engine-address.js';
import { recordsOf } from '../../server/example-requests/fill-request.js';

export interface BannerFacts {
  version: string;
  setUp: SetUp;
  settings: Settings;
  /** With the base path. */
  url: string;
  /** The URLs at which other machines reach it. */
  exposed: readonly string[];
  /** Where the admin API is, or why there is none. */
  admin: string;
  /** The files that `--watch` follows; `undefined` without it. */
  followed?: readonly string[] | undefined;
  /** Whether the data is that of an earlier start. */
  isContinued?: boolean;
  /** How wide the terminal is; `undefined` if the output is not a terminal. */
  width: number | undefined;
}

/** What the mock prints once it listens; it names every default. */
export function formatBanner(facts: BannerFacts): string {
  const { setUp, settings, url, exposed, admin, followed } = facts;
  const rows = [
    ['url', url],
    ...exposed.map((address) => ['open', `${address}  open to every machine that can reach this one`]),
    ...describeCredentials(setUp.contract, settings),
    ['admin', admin],
    ...describeOperations(setUp, url),
    ...setUp.notes.map((note) => ['note', spellOut(note)]),
    ...describeProfile(setUp).map((change) => ['gaps', change]),
    ...describeChanges(settings).map((change) => ['with', change]),
    ...describeData(facts),
    ...(followed === undefined ? [] : [['watch', listSome(followed) || 'no file was given: nothing can change']]),
    ['try', formatCurl(url, setUp.contract, { ...settings, records: recordsOf(setUp.world) })],
  ];
  return spellOutLines(
    [...formatTitle(facts), '', ...rows.map(([name = '', value = '']) => `  ${name.padEnd(6)}  ${value}`), ''].join(
      '\n',
    ),
  );
}

function formatTitle({ version, setUp, width }: BannerFacts): string[] {
  const { contract, world, fixtures, profile } = setUp;
  const parts = [
    `petstore-mock ${version}`,
    `${contract.title} ${contract.version}`,
    `${countRecords(world, fixtures)} (pack ${fixtures.name}, seed ${fixtures.seed})`,
    `profile ${profile.name}`,
  ].map(spellOut);
  const line = parts.join(' · ');
  return width !== undefined && line.length > width ? parts : [line];
}

function describeData({ settings: { data, shared }, isContinued = false }: BannerFacts): string[][] {
  if (shared !== undefined) {
    const { shown } = readEngineAddress(shared);
    return [['shared', `${shown}, ${isContinued ? 'joined: other replicas have state' : 'started by this replica'}`]];
  }
  return data === undefined
    ? []
    : [['data', `${data}, ${isContinued ? 'continued from the last run' : 'stored from now on'}`]];
}

const MOST_SHOWN = 4;

/** Where the profile differs from the default, and where it does not say what to do. */
function describeProfile({ profile, gaps }: SetUp): string[] {
  const answers = { ...profile.choices, ...profile.values };
  const changed = gaps.filter(
    ({ id, kind, mock }) => answers[id] !== undefined && (kind === 'value' || answers[id] !== mock),
  );
  const unknown = profile.unknown ?? [];
  return [
    ...(changed.length === 0 ? [] : [listSome(changed.map(({ id }) => `${id}: ${answers[id]}`))]),
    ...(unknown.length === 0 ? [] : [`default choice, since the profile does not say: ${listSome(unknown)}`]),
  ];
}

function listSome(texts: readonly string[]): string {
  const rest = texts.length - MOST_SHOWN;
  return `${texts.slice(0, MOST_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What makes this petstore answer differently from what one would expect. */
function describeChanges({ delay, cors, maxPets, now, fault = [] }: Settings): string[] {
  const range = typeof delay === 'object' ? `${delay.from} to ${delay.to}` : delay;
  return [
    ...(range === undefined || range === 0 ? [] : [`each request delayed by ${range} ms`]),
    ...(maxPets === undefined ? [] : [`room for ${maxPets} pets`]),
    ...(now === undefined ? [] : [`the date ${now}`]),
    ...fault.map((each) => `the fault ${each}`),
    ...(cors ? [] : ['no CORS: pages of other origins are blocked']),
  ];
}
