import type { SetUp } from '../../server/set-up.js';
import type { Settings } from './settings.js';
import { countRecords, describeCredentials, describeOperations } from './describe.js';
import { spellOut, spellOutLines } from '../../redact/spell-out.js';
import { readEngineAddress } from '../../server/lasting/shared/engine.js';
import type { KnownRecords, ShownRequest } from '../../server/example-requests/fill-request.js';
import { recordsOf, fillRequest } from '../../server/example-requests/fill-request.js';
import type { Contract } from '../../contract/contract.js';
import type { SecurityScheme, Operation } from '../../contract/model.js';
import { chooseCombination } from '../../contract/security.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import { nameVariable, quote } from '../../report/curl.js';
import { listKept } from '../../mock/store/kept.js';
import { networkInterfaces } from 'node:os';
import { formatOrigin } from '../../server/http/listen.js';

interface BannerFacts {
  version: string;
  setUp: SetUp;
  settings: Settings;
  url: string;
  exposed: readonly string[];
  admin: string;
  /** The files that `--watch` follows; `undefined` without it. */
  followed?: readonly string[] | undefined;
  isContinued?: boolean;
  /** How wide the terminal is; `undefined` if the output is not a terminal. */
  width: number | undefined;
}

/** What the mock prints once it listens; it names every default. */
export function formatBanner(facts: BannerFacts): string {
  const { setUp, settings, url, exposed, admin, followed } = facts;
  const data = describeData(facts);
  const { delay, cors, maxPets, now, fault = [] } = settings;
  const range = typeof delay === 'object' ? `${delay.from} to ${delay.to}` : delay;
  const { profile, gaps } = setUp;
  const answers = { ...profile.choices, ...profile.values };
  const changed = gaps.filter(
    ({ id, kind, mock }) => answers[id] !== undefined && (kind === 'value' || answers[id] !== mock),
  );
  const unknown = profile.unknown ?? [];
  const rows = [
    ['url', url],
    ...exposed.map((address) => ['open', `${address}  open to every machine that can reach this one`]),
    ...describeCredentials(setUp.contract, settings),
    ['admin', admin],
    ...describeOperations(setUp, url),
    ...setUp.notes.map((note) => ['note', spellOut(note)]),
    ...[
      ...(changed.length === 0 ? [] : [listSome(changed.map(({ id }) => `${id}: ${answers[id]}`))]),
      ...(unknown.length === 0 ? [] : [`default choice, since the profile does not say: ${listSome(unknown)}`]),
    ].map((change) => ['gaps', change]),
    ...[
      ...(range === undefined || range === 0 ? [] : [`each request delayed by ${range} ms`]),
      ...(maxPets === undefined ? [] : [`room for ${maxPets} pets`]),
      ...(now === undefined ? [] : [`the date ${now}`]),
      ...fault.map((each) => `the fault ${each}`),
      ...(cors ? [] : ['no CORS: pages of other origins are blocked']),
    ].map((change) => ['with', change]),
    ...(data === undefined ? [] : [data]),
    ...(followed === undefined ? [] : [['watch', listSome(followed) || 'no file was given: nothing can change']]),
    ['try', formatCurl(url, setUp.contract, { ...settings, records: recordsOf(setUp.world) })],
  ];
  const lines = rows.map(([name = '', value = '']) => `  ${name.padEnd(6)}  ${value}`);
  return spellOutLines([...formatTitle(facts), '', ...lines, ''].join('\n'));
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

function describeData({ settings: { data, shared }, isContinued = false }: BannerFacts): string[] | undefined {
  if (shared !== undefined) {
    const how = isContinued ? 'joined: other replicas have state' : 'started by this replica';
    return ['shared', `${readEngineAddress(shared).shown}, ${how}`];
  }
  const since = isContinued ? 'continued from the last run' : 'stored from now on';
  return data === undefined ? undefined : ['data', `${data}, ${since}`];
}

const MOST_SHOWN = 4;

function listSome(texts: readonly string[]): string {
  const rest = texts.length - MOST_SHOWN;
  return `${texts.slice(0, MOST_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

type Keys = Pick<Settings, 'apiKey' | 'credentials'>;

/** A command that works as printed: with values for whatever the operation that is the easiest to send needs. */
export function formatCurl(
  url: string,
  contract: Contract,
  { records, ...keys }: Keys & { records?: KnownRecords },
): string {
  const tried = chooseRequest(contract, records);
  const { operation, path = '', query = [], headers = {}, body } = tried ?? {};
  const schemes = chooseCombination(operation?.security ?? contract.security, () => true);
  const shown = schemes.map((scheme) => show(scheme, keys));
  const whole = [...query, ...shown.flatMap(({ query: pair }) => pair ?? [])].join('&');
  const target = `${url}${path}${whole === '' ? '' : `?${whole}`}`;
  return [
    'curl',
    ...(operation === undefined || operation.method === 'GET' ? [] : ['-X', operation.method]),
    // Several schemes may be told by one field.
    ...new Set(shown.flatMap(({ flag }) => flag ?? [])),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    // Curl writes a form in parts itself, which has line breaks that no terminal keeps.
    ...(body?.form ?? []).map(({ flag, field }) => `${flag} ${quote(field)}`),
    ...(body === undefined || body.form !== undefined
      ? []
      : [`-H ${quote(`Content-Type: ${body.mediaType}`)}`, `--data-raw ${quote(body.text)}`]),
    target.includes('$') ? `"${target}"` : quote(target),
  ].join(' ');
}

function show(scheme: SecurityScheme, keys: Keys): { flag?: string; query?: string } {
  const { kind, at } = scheme;
  const isOwn = keys.credentials[scheme.name] !== undefined;
  const isDefault = !isOwn && keys.apiKey.includes(DEFAULT_API_KEY);
  const value = isDefault ? DEFAULT_API_KEY : `$${isOwn ? nameVariable(scheme.name) : 'PETSTORE_API_KEY'}`;
  const mark = isDefault ? "'" : '"';
  if (kind === 'query') return { query: `${encodeURIComponent(at)}=${value}` };
  if (kind === 'cookie') return { flag: `-b ${mark}${at}=${value}${mark}` };
  if (kind === 'basic') return { flag: `-u ${mark}${value}${isOwn ? '' : ':'}${mark}` };
  return { flag: `-H ${mark}${kind === 'header' ? `${at}:` : `Authorization: ${at}`} ${value}${mark}` };
}

/** The request that is easiest to send: a GET of a list; `undefined` if the contract has no operation at all. */
function chooseRequest(contract: Contract, records?: KnownRecords): ShownRequest | undefined {
  const ofLists = listKept(contract).flatMap(({ operations }) =>
    operations.filter(({ role, within }) => role === 'list' && within === undefined),
  );
  const lists = new Set(ofLists.map(({ operation }) => operation));
  const rank = (operation: Operation): number =>
    (operation.method === 'GET' ? 0 : 1000) +
    (operation.path.split('{').length - 1) * 100 +
    (operation.deprecated ? 50 : 0) +
    (operation.requestBody === undefined ? 0 : 10) +
    (lists.has(operation) ? 0 : 5) +
    operation.parameters.filter(({ required }) => required).length;
  const [easiest] = contract.operations.toSorted((a, b) => rank(a) - rank(b));
  return easiest === undefined ? undefined : fillRequest(easiest, contract, records);
}

/** The origins at which other machines reach a host and port: for a wildcard, every address of this machine. */
export function listExposedOrigins(host: string, port: number): string[] {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (bare !== '0.0.0.0' && bare !== '::') return [];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family, address }) => {
      // A link-local address is useless without its interface.
      return !internal && (family === 'IPv4' || (bare === '::' && !address.startsWith('fe80:')));
    })
    .map(({ address }) => formatOrigin(address, port));
}
