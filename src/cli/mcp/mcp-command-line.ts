import { Command } from 'commander';
import { several } from '../../options/rules.js';
import type { Rule } from '../../options/rule.js';
import { BOOLEAN } from '../../options/rules.js';
import { addFlags, parseOrPrint, readFlags } from '../options/command-line.js';
import { defineOptions } from '../options/define-options.js';
import { resolveOptions } from '../options/resolve.js';

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
  // It may be a key in the wrong place.
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

/** The arguments of `petstore-mock mcp`. */
export interface McpCommand {
  /** Origins. */
  targets: string[];
  createsElsewhere: boolean;
  variables: string[];
}

/** Reads the arguments after `mcp`. Throws `PrintAndExit` for `--help`, a `PetstoreMockError` for anything unusable. */
export function readMcpCommand(argv: readonly string[]): McpCommand {
  const command = new Command('petstore-mock mcp')
    .description('Serves the mock and the suite to coding agents, as tools of the Model Context Protocol over stdio.')
    .helpOption('--help', 'show this help')
    .addHelpText('after', NOTES);
  addFlags(command, MCP_OPTIONS);
  parseOrPrint(command, argv, (message) => `mcp: ${message}; petstore-mock mcp --help lists its options.`);
  const { values } = resolveOptions(MCP_OPTIONS, [readFlags(command, MCP_OPTIONS)]);
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
