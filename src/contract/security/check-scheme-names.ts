import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import type { Contract } from '../contract.js';
import { asObject } from '../document/plain.js';
import { escapePointer } from '../document/document.js';
import { resolveAt } from '../document/references.js';
import { readCredentialName } from './credential-name.js';

type Stated = Pick<Contract, 'document' | 'securitySchemes' | 'operations'>;

/** Throws a {@link PetstoreMockError} for credentials of a security scheme, or with a scope, that the contract does not have. */
export function checkSchemeNames(given: object, contract: Stated): void {
  const names = contract.securitySchemes.map(({ name }) => name);
  for (const { scheme, scopes = [] } of Object.keys(given).map(readCredentialName)) {
    if (!names.includes(scheme))
      throw bad(
        `credentials are given for ${scheme}, but the contract has no such security scheme; it has ${join(names)}${suggest(scheme, names)}`,
      );
    const known = listScopes(scheme, contract);
    const unknown = scopes.find((scope) => !known.includes(scope));
    if (unknown !== undefined)
      throw bad(
        `a token for ${scheme} is given with the scope ${unknown}, which the contract does not name; it has ${join(known)}${suggest(unknown, known)} Leave out those that it does not name.`,
      );
  }
}

/** Those that a flow of the scheme declares, and those that operations ask for: OpenID Connect declares none. */
function listScopes(scheme: string, { document, operations }: Stated): string[] {
  const source = asObject(resolveAt(document, `/components/securitySchemes/${escapePointer(scheme)}`).value);
  const declared = Object.values(asObject(source['flows'])).flatMap((flow) =>
    Object.keys(asObject(asObject(flow)['scopes'])),
  );
  const asked = operations.flatMap(({ scopes }) => scopes.flatMap((alternative) => alternative[scheme] ?? []));
  return [...new Set([...declared, ...asked])];
}

function join(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function bad(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', message);
}
