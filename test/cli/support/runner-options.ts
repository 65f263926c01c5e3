import { join } from 'node:path';
import { readConfigPart, readConformanceConfig } from '../../../src/cli/conformance/config.js';
import { OPTIONS, type RunnerOptions } from '../../../src/cli/conformance/options.js';
import { PETSTORE_CONFORMANCE } from '../../../src/cli/conformance/options.js';
import { readCommandLine } from '../../../src/cli/options/command-line.js';
import { readEnvironment, resolveOptions } from '../../../src/cli/options/define-options.js';
import { makeFolder } from '../../support/folder.js';

/** The runner's options as flags, an environment and a config file of this text have them. */
export function readRunnerOptions(
  args: readonly string[],
  env: Record<string, string> = {},
  config = '',
): RunnerOptions {
  const file = readConformanceConfig(join(makeFolder({ 'c.yaml': `# config\n${config}` }), 'c.yaml'));
  return resolveOptions(OPTIONS, [
    readCommandLine(PETSTORE_CONFORMANCE, args, '1.0.0'),
    readEnvironment(PETSTORE_CONFORMANCE, env),
    ...(file === undefined || config === '' ? [] : [readConfigPart(file, undefined)]),
  ]);
}
