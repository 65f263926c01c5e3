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
import { startServer } from '../server/start-petstore-mock.js';
import { ADMIN_PATH } from '../server/world-names.js';
import { formatBanner, listExposedOrigins } from './mock/banner.js';
import { createBatchedOutput, createJsonFormatter, createPrettyFormatter } from './mock/exchange-log.js';
import { countPets, describeAdmin, describeCallers, checkFiles } from './mock/describe.js';
import { PrintAndExit } from './options/command-line.js';
import { EXIT_DEVIATED, EXIT_USAGE, exitCodeOf, wantsColor } from './terminal.js';
import { createProgressTeller, keepUp, stopOnSignals } from './mock/keep-up.js';
import { createRequestRedactor } from '../redact/redactor.js';
import { spellOutJson, spellOutLines } from '../redact/spell-out.js';
import { listFollowed, listNamed, noteFiles, setUpFrom } from './mock/follow-files.js';
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
  const seen = settings.watch ? noteFiles(listNamed(settings)) : undefined;
  const lasting = await openLasting({ ...settings, tell: complain });
  const tracking = lasting?.tracking;
  let ready = setUpFrom(settings, { onProgress, onExchange, tracking });
  await lasting?.attach(ready.worlds);
  const news = createFileNews();
  const server = await startServer(ready.worlds, {
    ...settings,
    news,
    openTools: async (worlds, access) => {
      const { createHttpTools } = await import('../mcp/http.js');
      return createHttpTools(worlds, { access, spec: settings.spec, apiKey: [settings.apiKey].flat()[0] });
    },
  });
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
  if (seen !== undefined)
    keepUp({
      settings,
      ready,
      seen,
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
      tell: ({ loaded, ...event }): void => {
        const { log } = settings;
        if (log === 'pretty') complain(event.message);
        if (log === 'json') printEvent({ event: loaded ? 'files-loaded' : 'files-unusable', ...event });
      },
    });
  const followed = seen === undefined ? undefined : listFollowed(settings, ready.contract);
  announce(ready, settings, { ...server, followed, isContinued: lasting?.isContinued ?? false });
}

/** Reads everything that a start would read, and says what it found. */
function check(settings: Parameters<typeof checkFiles>[0]): void {
  const { text, notes } = checkFiles(settings);
  if (settings.log !== 'silent') print(`${text}\n`);
  if (!settings.strict || notes === 0) return;
  complain(`--strict fails on ${notes === 1 ? 'the note' : `the ${notes} notes`} above.`);
  process.exitCode = EXIT_DEVIATED;
}

function hideSecrets({ apiKey, credentials, adminToken, shared }: Settings): (text: string) => string {
  const keys = [...apiKey, ...Object.values(credentials).flat()].filter((key) => key !== DEFAULT_API_KEY);
  const others = [adminToken ?? [], shared === undefined ? [] : listEngineSecrets(shared)].flat();
  return createRequestRedactor([...keys.flatMap(listSecretParts), ...others]);
}

/** The files are those that `--watch` follows. */
type Started = { origin: string; port: number; followed: readonly string[] | undefined; isContinued: boolean };

function announce(ready: SetUp, settings: Settings, { origin, port, followed, isContinued }: Started): void {
  const { contract, world, fixtures, profile, stateless, notes } = ready;
  const url = `${origin}${contract.basePath}`;
  const exposed = listExposedOrigins(settings.host, port).map((each) => `${each}${contract.basePath}`);
  if (settings.log === 'pretty') {
    const admin = describeAdmin(settings, origin);
    const width = process.stdout.columns;
    print(`${formatBanner({ version, setUp: ready, settings, url, exposed, admin, followed, isContinued, width })}\n`);
  }
  if (settings.log !== 'json') return;
  printEvent({
    event: 'ready',
    time: new Date(world.clock.now()).toISOString(),
    url,
    adminUrl: settings.admin ? `${origin}${ADMIN_PATH}` : undefined,
    exposed,
    version,
    pets: countPets(world, fixtures),
    fixtures: fixtures.name,
    seed: fixtures.seed,
    profile: profile.name,
    // There are none about the shipped contract.
    ...(stateless.length === 0 && notes.length === 0 ? {} : { stateless, notes }),
  });
}

function printEvent(event: object): void {
  print(`${spellOutJson(redact(JSON.stringify(event)))}\n`);
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
  else {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    complain(`this is a bug of petstore-mock; please report it.\n${told}`);
  }
  process.exit(exitCodeOf(error));
}
