import type { Contract } from '../../../contract/contract.js';
import { asObject } from '../../../contract/document/plain.js';
import type { Operation, Security, SecurityScheme } from '../../../contract/model.js';
import { readOnce } from '../../../contract/read-once.js';
import { readCredentialName } from '../../../contract/security/credential-name.js';
import type { GivenCredentials } from '../../model/credential-source.js';
import type { RunKeys } from './present-key.js';

/** Whether a contract declares security schemes and nowhere says what asks for them. */
export const asksNowhere = readOnce(({ document, operations, securitySchemes }: Contract): boolean => {
  const says = (pointer: string): boolean => asObject(document.at(pointer))['security'] !== undefined;
  return securitySchemes.length > 0 && !says('') && !operations.some(({ pointer }) => says(pointer));
});

/** The names of the schemes that operations ask for. */
const listAsked = readOnce(({ operations, security }: Contract): ReadonlySet<string> => {
  const all = [security, ...operations.map((each) => each.security)];
  return new Set(all.flat(2).map(({ name }) => name));
});

/**
 * What an operation asks for. Credentials that somebody gave are shown all the same where the contract declares schemes and asks
 * for none, where the target was seen to ask for them, and where an operation asks for others and none asks for these: whoever
 * gives some wants them to be sent.
 */
export function securityOf(operation: Operation | undefined, contract: Contract, keys: RunKeys): Security {
  const stated = operation?.security ?? contract.security;
  if (!isGiven(keys)) return stated;
  if (stated.some((combination) => combination.length > 0)) {
    const others = isShowable(stated, keys) ? [] : listUnasked(keys.credentials, contract);
    return others.length === 0 ? stated : others.map((scheme) => [scheme]);
  }
  const isWanted = asksNowhere(contract) || keys.unstated?.has(operation?.id ?? '') === true;
  return isWanted ? listAny(contract, keys) : stated;
}

/** Where nobody says what is asked for: everything that was given, as far as one request has a place for it; else any scheme. */
export function listAny(
  { securitySchemes }: Contract,
  { credentials, alone }: Pick<RunKeys, 'credentials' | 'alone'>,
): Security {
  if (alone !== undefined) return securitySchemes.filter(({ name }) => name === alone).map((scheme) => [scheme]);
  const placed = new Map<string, SecurityScheme>();
  for (const scheme of securitySchemes) {
    const { name, kind, at } = scheme;
    const isHeader = kind === 'header' && at.toLowerCase() !== 'authorization';
    const place = kind === 'query' || kind === 'cookie' || isHeader ? `${kind} ${at.toLowerCase()}` : 'authorization';
    if (Object.hasOwn(credentials, name) && !placed.has(place)) placed.set(place, scheme);
  }
  const any = securitySchemes.map((scheme) => [scheme]);
  return placed.size > 1 ? [[...placed.values()], ...any] : any;
}

/** Whether the run has what one of the alternatives asks for. */
export function isShowable(
  security: Security,
  { apiKey, credentials }: Pick<RunKeys, 'apiKey' | 'credentials'>,
): boolean {
  if (apiKey !== '') return true;
  return security.some((combination) => combination.every(({ name }) => Object.hasOwn(credentials, name)));
}

/** The schemes for which credentials are given and that no operation asks for, although some ask for others. */
function listUnasked(given: GivenCredentials, contract: Contract): SecurityScheme[] {
  const asked = listAsked(contract);
  const names = new Set(Object.keys(given).map((name) => readCredentialName(name).scheme));
  return asked.size === 0 ? [] : contract.securitySchemes.filter(({ name }) => names.has(name) && !asked.has(name));
}

/** A sentence without a full stop about credentials that no operation asks for; `undefined` if there are none. */
export function describeUnasked(given: GivenCredentials, contract: Contract): string | undefined {
  const unasked = listUnasked(given, contract).map(({ name }) => `\`${name}\``);
  if (unasked.length === 0) return undefined;
  const asked = [...listAsked(contract)].map((name) => `\`${name}\``);
  return `none of these operations accepts ${unasked.join(' or ')}; they ask for ${asked.join(' and ')}`;
}

/** Whether somebody gave credentials for the run. */
export function isGiven({ apiKey, credentials, isGuessed }: Omit<RunKeys, 'tokens'>): boolean {
  return Object.keys(credentials).length > 0 || (apiKey !== '' && isGuessed !== true);
}

/** Whether an operation of the contract may ask for credentials. */
export function asksForCredentials(contract: Contract): boolean {
  return listAsked(contract).size > 0;
}
