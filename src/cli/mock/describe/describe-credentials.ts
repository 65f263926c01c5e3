import type { Contract } from '../../../contract/contract.js';
import type { SecurityScheme } from '../../../contract/model.js';
import { describeScheme } from '../../../contract/security/present-credentials.js';
import { DEFAULT_API_KEY } from '../../../server/options.js';
import type { Settings } from '../settings.js';

type Keys = Pick<Settings, 'apiKey' | 'credentials'>;

/** The rows of the banner about credentials. A key of the user's is never printed. */
export function describeCredentials(contract: Contract, settings: Keys): string[][] {
  const used = listUsed(contract);
  const key = ['key', describeKeys(settings.apiKey)];
  if (used.length === 0) return [['key', 'none: the contract requires no credentials']];
  const [only] = used;
  if (used.length === 1 && only?.kind === 'bearer' && settings.credentials[only.name] === undefined) return [key];
  return [key, ...used.map((scheme) => ['auth', `${scheme.name}  ${describeOne(scheme, settings)}`])];
}

/** The schemes that an operation asks for. */
function listUsed({ operations, securitySchemes }: Contract): SecurityScheme[] {
  const names = new Set(operations.flatMap(({ security }) => security.flat().map(({ name }) => name)));
  return securitySchemes.filter(({ name }) => names.has(name));
}

function describeOne(scheme: SecurityScheme, { credentials }: Keys): string {
  const own = credentials[scheme.name]?.length ?? 0;
  const takes = own === 0 ? '' : `, ${own === 1 ? 'the one' : `one of the ${own}`} you gave with --credential`;
  const how = scheme.kind === 'basic' && own === 0 ? ', the key as the user or as the password' : '';
  return `${describeScheme(scheme)}${takes}${how}`;
}

function describeKeys(apiKeys: readonly string[]): string {
  const own = apiKeys.filter((key) => key !== DEFAULT_API_KEY).length;
  if (own === 0) return `${DEFAULT_API_KEY} (the default)`;
  const yours = own === 1 ? 'the one you gave' : `the ${own} you gave`;
  return own === apiKeys.length ? yours : `${yours}, and ${DEFAULT_API_KEY}`;
}
