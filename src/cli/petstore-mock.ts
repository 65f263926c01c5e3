#!/usr/bin/env node
import { listSecretParts } from '../contract/security.js';
import { PetstoreMockError } from '../errors.js';
import type { RecordedExchange } from '../mock/world/journal.js';
import { readPackageVersion } from '../package-files.js';
import { DEFAULT_API_KEY } from '../server/options.js';
import { createFileNews } from '../server/moving.js';
import type { SetUp } from '../server/set-up.js';
import { listEngineSecrets } from '../server/lasting/shared/engine.js';
import { openLasting } from '../server/lasting/open-lasting.js';
import { type OpenTools, startServer } from '../server/start-petstore-mock.js';
import { ADMIN_PATH } from '../server/world-names.js';
import { formatBanner, listExposedOrigins } from './mock/banner.js';
import { createBatchedOutput, createJsonFormatter, createPrettyFormatter } from './mock/exchange-log.js';
import { countPets, describeAdmin, describeCallers, checkFiles } from './mock/describe.js';
import { PrintAndExit } from './options/command-line.js';
import { EXIT_DEVIATED, EXIT_USAGE, exitCodeOf, wantsColor } from './terminal.js';
import { createProgressTeller, type FileEvent, type keepUp as keepUpWith, stopOnSignals } from './mock/keep-up.js';
import { createRequestRedactor } from '../redact/secret-names.js';
import { spellOutJson, spellOutLines } from '../redact/spell-out.js';
import { setUpFrom, type listFollowed as listFollowedBy, type SeenFiles } from './mock/follow-files.js';
import { readSettings, type Settings } from './mock/settings.js';
import { watchOutput } from './output/file-output.js';

const version = readPackageVersion();
/** Set as soon as the keys are known. */
let redact = createRequestRedactor([]);

process.on('uncaughtException', fail);
// The mock keeps serving even if nobody can read its log.
watchOutput(process.stderr, () => {});
watchOutput(process.stdout, (code) => {
  complain(`cannot write to stdout: ${code}.`);
  process.exitCode = EXIT_USAGE;
});

try {
  const [, , command, ...rest] = process.argv;
  // Loaded by this command alone.
  if (command === 'mcp') (await import('./mcp/serve.js')).serveMcp(rest);
  else await main(await readSettings(process.argv.slice(2), process.env, version));
} catch (error) {
  fail(error);
}

async function main(settings: Settings): Promise<void> {
  redact = hideSecrets(settings);
  const onProgress = settings.log === 'silent' ? undefined : createProgressTeller(complain, () => performance.now());
  if (settings.check) return check({ ...settings, onProgress });
  if (settings.strict) throw new PetstoreMockError('bad-option', '--strict belongs to --check; add --check.');
  const onExchange = createLogger(settings);
  const watching = settings.watch ? await startWatching(settings) : undefined;
  const lasting = await openLasting({ ...settings, tell: complain });
  const tracking = lasting?.tracking;
  let ready = setUpFrom(settings, { onProgress, onExchange, tracking });
  await lasting?.attach(ready.worlds);
  const news = createFileNews();
  const server = await startServer(ready.worlds, { ...settings, news, openTools: openToolsFor(settings) });
  // A reader of this line may stop the mock at once.
  stopOnSignals(server, {
    drainSeconds: settings.drain,
    tell: (message) => {
      if (settings.log === 'pretty') complain(message);
    },
    lastWords: async () => {
      await lasting?.close();
      if (settings.log === 'pretty') print(describeCallers(ready));
    },
  });
  watching?.keepUp({
    settings,
    ready,
    seen: watching.seen,
    read: async () => {
      const now = await readSettings(process.argv.slice(2), process.env, version);
      redact = hideSecrets(now);
      return now;
    },
    make: (now) => setUpFrom(now, { onExchange, tracking }),
    serve: (next) => {
      lasting?.replace(next.worlds);
      ready = next;
      server.serve(next.worlds);
    },
    news,
    quietly: (work) => (tracking === undefined ? work() : tracking.changes.quietly(work)),
    tell: (event) => tellFiles(event, settings),
  });
  announce(ready, settings, {
    ...server,
    followed: watching?.listFollowed(settings, ready.contract),
    isContinued: lasting?.isContinued ?? false,
  });
}

/** Reads everything that a start would read, and says what it found. */
function check(settings: Parameters<typeof checkFiles>[0]): void {
  const { text, notes } = checkFiles(settings);
  if (settings.log !== 'silent') print(`${text}\n`);
  if (!settings.strict || notes === 0) return;
  complain(`--strict fails on ${notes === 1 ? 'the note' : `the ${notes} notes`} above.`);
  process.exitCode = EXIT_DEVIATED;
}

/** The first call of an agent loads the tools. */
function openToolsFor({ spec, apiKey }: Settings): OpenTools {
  return async (worlds, access) => {
    const { createHttpTools } = await import('../mcp/http.js');
    return createHttpTools(worlds, { access, spec, apiKey: [apiKey].flat()[0] });
  };
}

interface Watching {
  keepUp: typeof keepUpWith;
  listFollowed: typeof listFollowedBy;
  seen: SeenFiles;
}

/** Follows the files; loaded only with `--watch`. */
async function startWatching(settings: Settings): Promise<Watching> {
  const [{ keepUp }, { listFollowed, listNamed, noteFiles }] = await Promise.all([
    import('./mock/keep-up.js'),
    import('./mock/follow-files.js'),
  ]);
  return { keepUp, listFollowed, seen: noteFiles(listNamed(settings)) };
}

function hideSecrets({ apiKey, credentials, adminToken, shared }: Settings): (text: string) => string {
  const keys = [...apiKey, ...Object.values(credentials).flat()].filter((key) => key !== DEFAULT_API_KEY);
  const others = [adminToken ?? [], shared === undefined ? [] : listEngineSecrets(shared)].flat();
  return createRequestRedactor([...keys.flatMap(listSecretParts), ...others]);
}

function tellFiles({ loaded, ...event }: FileEvent, { log }: Settings): void {
  if (log === 'pretty') complain(event.message);
  if (log !== 'json') return;
  const name = loaded ? 'files-loaded' : 'files-unusable';
  print(`${spellOutJson(redact(JSON.stringify({ event: name, ...event })))}\n`);
}

interface Started {
  origin: string;
  port: number;
  followed: readonly string[] | undefined;
  isContinued: boolean;
}

function announce(ready: SetUp, settings: Settings, server: Started): void {
  const { contract, world, fixtures, profile } = ready;
  const url = `${server.origin}${contract.basePath}`;
  const exposed = listExposedOrigins(settings.host, server.port).map((origin) => `${origin}${contract.basePath}`);
  if (settings.log === 'pretty') {
    const admin = describeAdmin(settings, server.origin);
    const width = process.stdout.columns;
    const { followed, isContinued } = server;
    print(`${formatBanner({ version, setUp: ready, settings, url, exposed, admin, followed, isContinued, width })}\n`);
  }
  if (settings.log === 'json') {
    const time = new Date(world.clock.now()).toISOString();
    const adminUrl = settings.admin ? `${server.origin}${ADMIN_PATH}` : undefined;
    const facts = {
      url,
      adminUrl,
      exposed,
      version,
      pets: countPets(world, fixtures),
      fixtures: fixtures.name,
      seed: fixtures.seed,
    };
    print(
      `${spellOutJson(redact(JSON.stringify({ event: 'ready', time, ...facts, profile: profile.name, ...describeContract(ready) })))}\n`,
    );
  }
}

/** Notes about a team's own contract; there are none about the shipped one. */
function describeContract({ stateless, notes }: SetUp): object {
  return stateless.length === 0 && notes.length === 0 ? {} : { stateless, notes };
}

function createLogger({ log }: Settings): (exchange: RecordedExchange) => void {
  if (log === 'silent') return () => {};
  const color = wantsColor(process.stdout, process.env);
  // A change of the files may change the keys.
  const hide = (text: string): string => redact(text);
  const toLine =
    log === 'json'
      ? createJsonFormatter({ redact: hide })
      : createPrettyFormatter({ color, redact: hide, width: () => process.stdout.columns });
  const output = createBatchedOutput(print);
  // However the process ends, the log has every answer.
  process.on('exit', () => output.flush());
  return (exchange) => output.add(toLine(exchange));
}

function print(text: string): void {
  process.stdout.write(text);
}

/** Messages may quote what was typed or read from a file. */
function complain(message: string): void {
  process.stderr.write(`${spellOutLines(redact(`petstore-mock: ${message}`))}\n`);
}

function fail(error: unknown): void {
  if (error instanceof PrintAndExit) return print(error.text);
  if (error instanceof PetstoreMockError) complain(error.message);
  else complain(`this is a bug of petstore-mock; please report it.\n${describe(error)}`);
  process.exit(exitCodeOf(error));
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
