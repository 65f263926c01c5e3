import { serveToolsOverStdio } from '../../mcp/create-server.js';
import type { Permissions } from '../../mcp/session.js';
import { spellOutLines } from '../../redact/spell-out.js';
import { EXIT_INTERRUPTED } from '../terminal.js';
import { several, BOOLEAN } from '../../options/rules.js';
import type { Rule } from '../../options/rule.js';
import { readSubcommand } from '../options/command-line.js';
import { defineOptions } from '../options/define-options.js';

/** `petstore-mock mcp`: serves the tools until the client closes the input. Only the protocol goes to stdout. */
export function serveMcp(argv: readonly string[]): void {
  const { env } = process;
  const serving = serveToolsOverStdio({
    permissions: {
      ...readMcpCommand(argv),
      testsThisMachine: true,
      readVariable: (name) => env[name],
      folder: process.cwd(),
    },
    input: process.stdin,
    output: process.stdout,
    adminToken: env['PETSTORE_MOCK_ADMIN_TOKEN'],
    onError: (message) => process.stderr.write(`${spellOutLines(`petstore-mock mcp: ${message.slice(0, 500)}`)}\n`),
  });
  let stopping = false;
  // A run that is cancelled takes away what it created, unless it is told twice to stop.
  const stop = (): void => {
    if (stopping) process.exit(EXIT_INTERRUPTED);
    stopping = true;
    void serving.close();
    process.stdin.destroy();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
}

const ORIGIN: Rule<string> = {
  expected: 'a URL such as https://staging.example',
  accepts: (value): value is string =>
    typeof value === 'string' && URL.canParse(value) && /^https?:\/\//i.test(value) && new URL(value).username === '',
  schema: { type: 'string' },
};

const VARIABLE: Rule<string> = {
  expected: 'the name of an environment variable',
  accepts: (value): value is string => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
  schema: { type: 'string' },
  isSecret: true,
};

/** Every option of `mcp`. Only flags count, so that what was allowed can be read where it was allowed. */
const MCP_OPTIONS = defineOptions({
  'allow-target': {
    value: '<url>',
    help: 'a service on another machine that the tools may test',
    rule: several(ORIGIN, ORIGIN.expected),
    from: ['flag'],
  },
  'allow-creates': { help: 'allow the tools to create records there, too', rule: BOOLEAN, from: ['flag'] },
  'key-env': {
    value: '<name>',
    help: 'another environment variable with a key, in addition to PETSTORE_API_KEY',
    rule: several(VARIABLE, VARIABLE.expected),
    from: ['flag'],
  },
});

/** Reads the arguments after `mcp`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readMcpCommand(
  argv: readonly string[],
): Pick<Permissions, 'targets' | 'createsElsewhere' | 'variables'> {
  const { values } = readSubcommand(
    {
      name: 'petstore-mock mcp',
      description: 'Serves the mock and the suite to coding agents, as tools of the Model Context Protocol over stdio.',
      options: MCP_OPTIONS,
      notes: NOTES,
      complete: (message) => `mcp: ${message}; petstore-mock mcp --help lists its options.`,
    },
    argv,
  );
  return {
    targets: (values.allowTarget ?? []).map((url) => new URL(url).origin),
    createsElsewhere: values.allowCreates,
    variables: ['PETSTORE_API_KEY', ...(values.keyEnv ?? [])],
  };
}

const NOTES = `
A client starts this program and talks to it; docs/agents.md has the set-ups. The
tools read files in and below the folder in which it starts, test what is on this
machine, and nothing else unless a flag allows it. Keys come from variables alone.
`;
