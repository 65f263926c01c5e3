import { serveToolsOverStdio } from '../../mcp/serve-stdio.js';
import { spellOutLines } from '../../redact/spell-out.js';
import { EXIT_INTERRUPTED } from '../exit-codes.js';
import { readMcpCommand } from './mcp-command-line.js';

/** `petstore-mock mcp`: serves the tools until the client closes the input. Only the protocol goes to stdout. */
export function serveMcp(argv: readonly string[]): void {
  const { targets, createsElsewhere, variables } = readMcpCommand(argv);
  const { env } = process;
  const serving = serveToolsOverStdio({
    permissions: {
      targets,
      createsElsewhere,
      variables,
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
