import { asksForCredentials } from '../../../contract/security.js';
import type { Row } from '../../model/raw-scenario.js';
import type { SecurityScheme } from '../../../contract/model.js';
import type { AskedRole } from '../../../contract/resources/resource.js';
import { isAuthorization } from '../../wire/request/take-authorization.js';
import { listInvalid } from '../records/invalid-records.js';
import type { Subject } from '../subject.js';
import { readCases, type CaseRow } from './data.js';
import { boundLimits, isWalkable, linksNext, sizeParameter } from './lists/bounds.js';
import { listFilterValues } from './lists/filters.js';
import type { TableSource } from './table-source.js';

function isFormOf({ kind, at }: SecurityScheme, { of, notInAuthorization }: CaseRow<'credentials'>): boolean {
  if (notInAuthorization === true && kind === 'header' && isAuthorization(at)) return false;
  return of === undefined || of.includes(kind);
}

const READING: readonly AskedRole[] = ['list', 'get', 'create'];
const CHANGING: readonly AskedRole[] = ['replace', 'update', 'remove'];

export function listCredentials({ subject }: TableSource): Row[] {
  return listSecured(READING, subject).flatMap(({ role, operation }) => [
    { id: role, role, operation, auth: 'missing', words: 'without credentials' },
    { id: `${role}-wrong`, role, operation, auth: 'wrong', words: 'with wrong credentials' },
  ]);
}

/** A record that is refused for what it is, and one for who sends it, where anyone is asked for credentials. */
export function listDrafts(source: TableSource): Row[] {
  const [invalid] = listInvalid(source);
  const [secured] = listSecured(['create'], source.subject);
  if (invalid === undefined) return [];
  const { record } = invalid;
  return [
    {
      id: 'at-all',
      record,
      ...(secured === undefined ? { auth: 'valid', other: record } : { auth: 'missing', other: '$full' }),
    },
  ];
}

/** Each form, for each scheme that is shown by itself: services read credentials in one place for all operations. */
export function listCredentialForms({ subject }: TableSource): Row[] {
  const [secured] = listSecured(READING, subject);
  const security = secured === undefined ? [] : (subject.roles[secured.role]?.operation.security ?? []);
  const reading = listSecured(['list', 'get'], subject).filter(
    ({ role }) => subject.roles[role]?.operation.security.length === security.length,
  );
  const single = security.filter((combination) => combination.length === 1).flat();
  return single.flatMap((scheme) => {
    const { name } = scheme;
    const forms = readCases('credentials').filter((form) => isFormOf(scheme, form));
    // The only scheme needs no name: the run's key is for it.
    const schemes = security.length > 1 ? { schemes: [name] } : {};
    return forms.flatMap(({ id: form, auth, ofEach, isMalformed }, index) => {
      // In turns: what one operation does by itself shows as well as what all do.
      const asked = ofEach === true ? reading : reading.slice(index % reading.length).slice(0, 1);
      return (asked.length === 0 ? [secured] : asked).map((operation, at) =>
        Object.assign(
          {
            id: `${name}-${form}${at === 0 ? '' : `-${operation?.role ?? ''}`}`,
            form: form.replaceAll('-', ' '),
            auth,
          },
          schemes,
          operation,
          { refused: isMalformed === true ? '$unauthorizedOrBad' : '$unauthorized' },
        ),
      );
    });
  });
}

export function listCredentialsOfChanges({ subject }: TableSource): Row[] {
  return listSecured(CHANGING, subject).map(({ role, operation }) => ({ id: role, role, operation }));
}

/** Whether every change of a resource asks for credentials. */
export function areChangesSecured(subject: Subject): boolean {
  const changes = CHANGING.filter((role) => subject.roles[role] !== undefined);
  return changes.length > 0 && listSecured(CHANGING, subject).length === changes.length;
}

/** The page after the first, of one record, where the contract says how to ask for it. */
export function listSecuredPages(source: TableSource): Row[] {
  // What a body alone says of the second page is asked for.
  const isNamed = isWalkable(source.subject) && !linksNext(source.subject.roles.list);
  const [size] = isNamed ? boundLimits(source, [1, 2, 5]) : [];
  return size === undefined
    ? []
    : listSecuredLists(source).map((list) => Object.assign({ id: 'second-page', size }, list));
}

/** The longest page, where a list has a limit. */
export function listSecuredLengths(source: TableSource): Row[] {
  if (sizeParameter(source.subject.roles.list?.list?.paging) === undefined) return [];
  return listSecuredLists(source).map((list) => Object.assign({ id: 'longest' }, list));
}

export function listSecuredCreates({ subject }: TableSource): Row[] {
  return listSecured(['create'], subject).map(({ operation }) => ({ id: 'create', operation }));
}

export function listSecuredReads({ subject }: TableSource): Row[] {
  return listSecured(['list', 'get'], subject).map((each) => Object.assign({ id: each.role }, each));
}

const MOST_FILTERS = 3;

export function listSecuredFilters(source: TableSource): Row[] {
  const ofParameters = new Map(listFilterValues(source).map((row) => [String(row['parameter']), row]));
  const rows = [...ofParameters].slice(0, MOST_FILTERS);
  return listSecuredLists(source).flatMap((list) =>
    rows.map(([id, { filter, parameter, value }]) => Object.assign({ id, filter, parameter, value }, list)),
  );
}

function listSecuredLists({ subject }: TableSource): { operation: string }[] {
  return listSecured(['list'], subject).map(({ operation }) => ({ operation }));
}

export function listSecured(asked: readonly AskedRole[], { roles }: Subject): { role: AskedRole; operation: string }[] {
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
  if (named.length < 2 || !asksForCredentials(security)) return [];
  return named.map((schemes) => ({
    id: schemes.join('-and-'),
    schemes,
    role: roles.list === undefined ? 'get' : 'list',
  }));
}
