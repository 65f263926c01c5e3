import { asksForCredentials } from '../../../contract/security/read-security.js';
import type { Row } from '../../scenarios/raw-scenario.js';
import type { AskedRole } from '../../../contract/resources/plain-roles.js';
import type { Subject } from '../subject.js';
import type { TableSource } from './table-source.js';

const FORMS = ['missing', 'wrong'] as const;
const READING: readonly AskedRole[] = ['list', 'get', 'create'];
const CHANGING: readonly AskedRole[] = ['replace', 'update', 'remove'];

/** The petstore's own scenarios test its list, create and get. */
export function listCredentials({ subject }: TableSource): Row[] {
  if (subject.isPetstore) return [];
  return listSecured(READING, subject).flatMap(({ role, operation }) =>
    FORMS.map((form) => ({ id: `${role}-${form}`, role, auth: form, form, operation })),
  );
}

export function listCredentialsOfChanges({ subject }: TableSource): Row[] {
  return listSecured(CHANGING, subject).map(({ role, operation }) => ({ id: role, role, operation }));
}

function listSecured(asked: readonly AskedRole[], { roles }: Subject): { role: AskedRole; operation: string }[] {
  return asked.flatMap((role) => {
    const operation = roles[role]?.operation;
    const isSecured = operation?.secured === true && asksForCredentials(operation.security);
    return isSecured ? [{ role, operation: operation.id }] : [];
  });
}

/** Each combination of credentials, where the contract says that any one is enough. */
export function listAlternatives({ subject: { roles } }: TableSource): Row[] {
  const security = (roles.list ?? roles.get)?.operation.security ?? [];
  const asking = security.filter((combination) => combination.length > 0);
  const named = asking.map((combination) => combination.map(({ name }) => name));
  // Some documents state the same one several times.
  const apart = [...new Map(named.map((schemes) => [schemes.join('-and-'), schemes]))];
  if (apart.length < 2 || !asksForCredentials(security)) return [];
  return apart.map(([id, schemes]) => ({ id, schemes, role: roles.list === undefined ? 'get' : 'list' }));
}
