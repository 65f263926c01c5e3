import type { NeededScopes, Operation, Security, SecurityScheme } from '../../../contract/model.js';
import { asksForCredentials } from '../../../contract/security.js';
import type { AskedRole } from '../../../contract/resources/resource.js';
import type { Row } from '../../model/raw-scenario.js';
import type { LackedScopes } from '../../model/scenario.js';
import type { Subject } from '../subject.js';
import { mergeChanges } from './changes.js';
import type { TableSource } from './table-source.js';

/** Where alternatives ask for different scopes, more ways to satisfy none of them show nothing new. */
const MOST_WAYS = 6;

const CHANGING: readonly AskedRole[] = ['replace', 'update', 'remove'];

/** Of each operation, each scope that a token may lack so that it satisfies no alternative. */
export function listLackedScopes({ subject }: TableSource): Row[] {
  return (['list', 'get', 'create'] as const).flatMap((role) => listOfRole(role, subject));
}

export function listLackedScopesOfChanges(source: TableSource): Row[] {
  const [change] = mergeChanges(source);
  return CHANGING.flatMap((role) => {
    const record = role === 'update' ? change?.['record'] : '$other';
    return record === undefined ? [] : listOfRole(role, source.subject).map((row) => Object.assign(row, { record }));
  });
}

function listOfRole(role: AskedRole, { roles }: Subject): Row[] {
  const operation = roles[role]?.operation;
  if (operation?.secured !== true || !asksForCredentials(operation.security)) return [];
  const rows = operation.security.flatMap((shown) => {
    // The only combination needs no name: the run's key is for it.
    const schemes = operation.security.length > 1 ? { schemes: shown.map(({ name }) => name) } : {};
    return listWays(shown, operation).map((lacks) =>
      Object.assign({ id: `${role}-without-${lacks.scopes.join('-and-')}`, role, operation: operation.id }, schemes, {
        words: lacks.scopes.map((scope) => `\`${scope}\``).join(' and '),
        lacks,
      }),
    );
  });
  // Two schemes with the same scopes, asked for together, ask the same (one for each flow of OAuth).
  return rows.filter(({ id }, index) => rows.findIndex((other) => other.id === id) === index);
}

/** What the token of one of the schemes must lack, for a request that shows these. */
function listWays(shown: Security[number], { security, scopes }: Operation): LackedScopes[] {
  const schemes = new Map(security.flat().map((scheme) => [scheme.name, scheme]));
  const isShown = (alternative: NeededScopes): boolean =>
    Object.keys(alternative).every((name) => shown.some((each) => isSamePlace(each, schemes.get(name))));
  const open = scopes.filter(isShown);
  return shown.flatMap(({ name }) => {
    const needed = open.map((alternative) => (Object.hasOwn(alternative, name) ? (alternative[name] ?? []) : []));
    return needed.length === 0 ? [] : combine(needed).map((each) => ({ scheme: name, scopes: each }));
  });
}

/** A token shown for one scheme may be taken for another that has the same place in a request. */
function isSamePlace(one: SecurityScheme, other: SecurityScheme | undefined): boolean {
  return other === undefined || (one.kind === other.kind && one.at.toLowerCase() === other.at.toLowerCase());
}

/** One scope of each alternative, in every way. */
function combine(needed: readonly (readonly string[])[]): string[][] {
  const ways = needed.reduce<string[][]>(
    (found, scopes) => found.flatMap((way) => scopes.map((scope) => [...new Set([...way, scope])].toSorted())),
    [[]],
  );
  return [...new Map(ways.map((way) => [way.join(' '), way])).values()].slice(0, MOST_WAYS);
}
