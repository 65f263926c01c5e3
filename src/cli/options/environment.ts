import { distance } from 'fastest-levenshtein';
import { PetstoreMockError } from '../../errors.js';
import { OPTIONS, variableOf } from '../mock/options.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export const CONFIG_VARIABLE = 'PETSTORE_MOCK_CONFIG';

/** What the admin API asks for; it is in no flag and no file. */
export const ADMIN_TOKEN_VARIABLE = 'PETSTORE_MOCK_ADMIN_TOKEN';

const PREFIX = 'PETSTORE_MOCK_';

/** Names that someone who knows the others would try. */
const MISNOMERS: Readonly<Record<string, string>> = {
  PETSTORE_MOCK_API_KEY: 'PETSTORE_API_KEY',
  PETSTORE_MOCK_KEY: 'PETSTORE_API_KEY',
  PETSTORE_MOCK_NO_CORS: 'PETSTORE_MOCK_CORS=false',
  PETSTORE_MOCK_NO_ADMIN: 'PETSTORE_MOCK_ADMIN=false',
  PETSTORE_MOCK_FAULTS: 'PETSTORE_MOCK_FAULT',
};

/** The options that the environment gives, by name, each with its variable. An empty variable counts as none. */
export function readEnvironment(env: Environment): Map<string, { text: string; variable: string }> {
  refuseMistyped(env);
  const found = OPTIONS.flatMap((option) => {
    const variable = variableOf(option);
    const text = env[variable];
    return text === undefined || text === '' || isServiceLink(variable, text)
      ? []
      : [[option.name, { text, variable }] as const];
  });
  return new Map(found);
}

/** A variable that is one slip away from one of ours is a mistake; another one is somebody else's. */
function refuseMistyped(env: Environment): void {
  const known = [...OPTIONS.map(variableOf), CONFIG_VARIABLE, ADMIN_TOKEN_VARIABLE];
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith(PREFIX) || known.includes(variable)) continue;
    const meant = MISNOMERS[variable] ?? known.find((name) => distance(name, variable) <= 2);
    if (meant !== undefined) {
      throw new PetstoreMockError('bad-option', `there is no variable ${variable}; did you mean ${meant}?`);
    }
  }
}

/**
 * Kubernetes sets `PETSTORE_MOCK_PORT=tcp://10.0.0.1:4010` in every container
 * beside a service that is called petstore-mock, and so do Docker's links.
 */
function isServiceLink(variable: string, text: string): boolean {
  return variable === 'PETSTORE_MOCK_PORT' && /^(?:tcp|udp):\/\//.test(text);
}
