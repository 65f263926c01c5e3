import { actOn } from '../../contract/gaps/gaps.js';
import type { ApiRequest, ResponseHeaders } from '../../contract/message.js';
import type { NeededScopes, Operation } from '../../contract/model.js';
import { challenge, judge, nameRealm, type Guarded } from './authenticate.js';

interface Refused {
  status: number;
  message: string;
  headers: ResponseHeaders;
}

/** Why the credentials of a request do not suffice for a secured operation; `undefined` if they do. */
export function refuseCaller(request: ApiRequest, operation: Operation, world: Guarded): Refused | undefined {
  const challenged = challenge(request, operation.security, world);
  return challenged === undefined ? refuseScopes(request, operation, world) : { status: 401, ...challenged };
}

/** Refuses a request with valid credentials that satisfies no alternative, since its token lacks a scope. */
function refuseScopes(request: ApiRequest, operation: Operation, world: Guarded): Refused | undefined {
  if (world.credentials.scoped.size === 0 || operation.scopes.length === 0) return undefined;
  const schemes = new Map(operation.security.flat().map((scheme) => [scheme.name, scheme]));
  const satisfies = (alternative: NeededScopes, withScopes: boolean): boolean =>
    Object.entries(alternative).every(([name, needed]) => {
      const scheme = schemes.get(name);
      return scheme === undefined || judge(scheme, request, world, withScopes ? needed : []) === 'accepted';
    });
  if (operation.scopes.some((alternative) => satisfies(alternative, true))) return undefined;
  const shown = operation.scopes.find((alternative) => satisfies(alternative, false)) ?? {};
  const needed = [...new Set(Object.values(shown).flat())];
  return {
    status: chooseStatus(operation),
    message: `the token lacks a scope: ${operation.id} requires ${needed.join(' and ')}`,
    headers: challengeScopes(needed, world),
  };
}

/** RFC 6750 section 3.1 says 403; a contract may document 401 alone. */
function chooseStatus({ responses }: Operation): number {
  const stated = new Set(responses.map(({ status }) => status.toUpperCase()));
  return stated.has('401') && !stated.has('403') ? 401 : 403;
}

const IS_SENT: Record<string, boolean> = { 'names-error': true, same: true, absent: false };

/** RFC 6750 section 3. */
function challengeScopes(needed: readonly string[], { profile, contract }: Guarded): ResponseHeaders {
  if (!actOn(profile, 'www-authenticate', IS_SENT)) return {};
  const scope = needed.join(' ').replace(/[^\x20-\x7E]|["\\]/g, '');
  return {
    'WWW-Authenticate': `Bearer realm="${nameRealm(contract.title)}", error="insufficient_scope", scope="${scope}"`,
  };
}
