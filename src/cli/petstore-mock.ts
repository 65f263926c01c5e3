#!/usr/bin/env node
import { Command, InvalidArgumentError, Option } from 'commander';
import { PetstoreMockError } from '../errors.js';
import { readPackageVersion } from '../package-files.js';
import { DEFAULT_API_KEY, setUp } from '../server/set-up.js';
import { startServer } from '../server/start-server.js';
import { formatBanner } from './banner.js';
import { createPrettyFormatter, formatJsonExchange, type LogFormat } from './exchange-log.js';

interface Options {
  port: number;
  host: string;
  apiKey: string[];
  fixtures?: string;
  seed?: number;
  log: LogFormat;
}

const EXIT_USAGE = 2;
const EXIT_UNAVAILABLE = 3;
const EXIT_BUG = 4;

const program = new Command('petstore-mock')
  .description('A stateful mock of the petstore that validates every request and every response.')
  .addOption(
    new Option('-p, --port <number>', 'the port to listen on; 0 takes a free one').default(4010).argParser(parsePort),
  )
  .addOption(new Option('-h, --host <address>', 'the address to listen on').default('127.0.0.1'))
  .addOption(new Option('--api-key <key...>', 'the keys to accept').default([DEFAULT_API_KEY], DEFAULT_API_KEY))
  .addOption(new Option('--fixtures <name>', 'the fixture pack: a name that ships, or a path').default('default'))
  .addOption(new Option('--seed <number>', 'the seed of generated animals').argParser(parseWholeNumber))
  .addOption(
    new Option('--log <format>', 'how exchanges are logged').choices(['pretty', 'json', 'silent']).default('pretty'),
  )
  .helpOption('--help', 'show this help')
  .version(readPackageVersion(), '--version', 'show the version')
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : EXIT_USAGE))
  .action(run);

await program.parseAsync().catch(fail);

async function run(options: Options): Promise<void> {
  const ready = setUp({ ...options, onExchange: createLogger(options.log) });
  const server = await startServer(ready.world, options);
  const url = `${server.origin}${ready.contract.basePath}`;
  announce(options, formatBanner({ version: readPackageVersion(), setUp: ready, url, apiKeys: options.apiKey }), url);
  stopOnSignals(server);
}

function announce(options: Options, banner: string, url: string): void {
  if (options.log === 'pretty') process.stdout.write(`${banner}\n`);
  if (options.log === 'json') process.stdout.write(`${JSON.stringify({ event: 'ready', url })}\n`);
}

function createLogger(format: LogFormat): (exchange: Parameters<typeof formatJsonExchange>[0]) => void {
  if (format === 'silent') return () => {};
  const color = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
  const toLine = format === 'json' ? formatJsonExchange : createPrettyFormatter({ color });
  return (exchange) => process.stdout.write(`${toLine(exchange)}\n`);
}

/** The first signal drains, the second one cuts. */
function stopOnSignals(server: { close(): Promise<void>; closeNow(): void }): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return server.closeNow();
    stopping = true;
    void server.close().then(() => process.exit(0));
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

function fail(error: unknown): never {
  if (error instanceof PetstoreMockError) {
    process.stderr.write(`petstore-mock: ${error.message}\n`);
    const unavailable = error.code === 'port-taken' || error.code === 'cannot-listen';
    process.exit(unavailable ? EXIT_UNAVAILABLE : EXIT_USAGE);
  }
  process.stderr.write(
    `petstore-mock: this is a bug of petstore-mock; please report it.\n${String((error as Error).stack)}\n`,
  );
  process.exit(EXIT_BUG);
}

function parsePort(value: string): number {
  const port = parseWholeNumber(value);
  if (port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

function parseWholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('This is a whole number from 0.');
  return Number(value);
}
