// Who asks: with and without credentials, with a token that lacks a scope, and with the header fields that clients send.
import { formOf, recordTypeOf } from '../../contract/media-types.js';
import { findUnwritable } from '../../contract/forms.js';
import type { NeededScopes, Operation, Security, SecurityScheme } from '../../contract/model.js';
import { isRepeatKey } from '../../contract/operations/operations.js';
import type { AskedRole } from '../../contract/resources/resource.js';
import { asksForCredentials } from '../../contract/security.js';
import type { Row } from '../model/scenario.js';
import type { LackedScopes } from '../model/exchange.js';
import { isAuthorization } from '../http/request-credentials.js';
import { countFrom, isIgnored } from '../resources/clients.js';
import { listRoles, type Binding, type Tables } from '../resources/instance.js';
import { readCases, type CaseRow } from '../resources/field-values.js';
import { listInvalid } from '../resources/invalid-records.js';
import { isWalkable, linksNext, sizeParameter } from '../resources/paging.js';
import { pick, type RecordTemplate } from '../resources/resource-under-test.js';
import { OWN_UUID, UNIQUE_UUID } from '../resources/fit-record.js';
import { listBodiesOfChanges } from './changes.js';
import { boundLimits, listFilterValues } from './lists.js';

const READING: readonly AskedRole[] = ['list', 'get', 'create'];
const CHANGING: readonly AskedRole[] = ['replace', 'update', 'remove'];
const MOST_FILTERS = 3;
/** Where alternatives ask for different scopes, more ways to satisfy none of them show nothing new. */
const MOST_WAYS = 6;

function listSecured(asked: readonly AskedRole[], binding: Binding) {
  return listRoles(asked, binding).filter(({ role }) => {
    const { secured, security } = binding.subject.roles[role]?.operation ?? {};
    return secured === true && asksForCredentials(security ?? []);
  });
}

function listCredentials(binding: Binding): Row[] {
  return listSecured(READING, binding).flatMap((row) => [
    Object.assign({ auth: 'missing', words: 'without credentials' }, row),
    Object.assign({ auth: 'wrong', words: 'with wrong credentials' }, row, { id: `${row.id}-wrong` }),
  ]);
}

function listDrafts(binding: Binding): Row[] {
  const [secured] = listSecured(['create'], binding);
  return listInvalid(binding)
    .slice(0, 1)
    .map(({ record }) => {
      const rest = secured === undefined ? { auth: 'valid', other: record } : { auth: 'missing', other: '$full' };
      return Object.assign({ id: 'at-all', record }, rest);
    });
}

/** Each form, for each scheme that is shown by itself: services read credentials in one place for all operations. */
function listCredentialForms(binding: Binding): Row[] {
  const { roles } = binding.subject;
  const securityOf = (role: AskedRole): Security => roles[role]?.operation.security ?? [];
  const [secured] = listSecured(READING, binding);
  if (secured === undefined) return [];
  const security = securityOf(secured.role);
  const reads = listSecured(['list', 'get'], binding).filter(({ role }) => securityOf(role).length === security.length);
  const single = security.filter((combination) => combination.length === 1).flat();
  return single.flatMap(({ name, kind, at: place }) => {
    const isHeader = kind === 'header' && isAuthorization(place);
    const forms = readCases('credentials').filter(
      ({ of, notInAuthorization }) =>
        !(notInAuthorization === true && isHeader) && (of === undefined || of.includes(kind)),
    );
    return forms.flatMap(({ id: form, auth, ofEach, isMalformed }, index) => {
      // In turns: what one operation does by itself shows as well as what all do.
      const turn = index + countFrom(binding.subject.name);
      const asked = ofEach === true ? reads : reads.slice(turn % reads.length).slice(0, 1);
      return (asked.length === 0 ? [secured] : asked).map(({ role, operation }, at) => ({
        id: `${name}-${form}${at === 0 ? '' : `-${role}`}`,
        form: form.replaceAll('-', ' '),
        auth,
        // The only scheme needs no name: the run's key is for it.
        schemes: security.length > 1 ? [name] : undefined,
        role,
        operation,
        refused: isMalformed === true ? '$unauthorizedOrBad' : '$unauthorized',
      }));
    });
  });
}

function listSecuredPages(binding: Binding): Row[] {
  // What a body alone says of the second page is asked for.
  const isNamed = isWalkable(binding.subject) && !linksNext(binding.subject.roles.list);
  const [size] = isNamed ? boundLimits(binding, [1, 2, 5]) : [];
  return size === undefined ? [] : ofSecuredList([{ id: 'second-page', size }], binding);
}

function listSecuredFilters(binding: Binding): Row[] {
  const ofParameters = new Map(listFilterValues(binding).map((row) => [String(row['parameter']), row]));
  const rows = [...ofParameters].slice(0, MOST_FILTERS).map(([id, row]) => Object.assign({}, row, { id }));
  return ofSecuredList(rows, binding);
}

function ofSecuredList(rows: readonly Row[], binding: Binding): Row[] {
  const [list] = listSecured(['list'], binding);
  return list === undefined ? [] : rows.map((row) => Object.assign({ operation: list.operation }, row));
}

function listAlternatives({ subject: { roles } }: Binding): Row[] {
  const security = (roles.list ?? roles.get)?.operation.security ?? [];
  const asking = security.filter((combination) => combination.length > 0);
  const named = asking.map((combination) => combination.map(({ name }) => name));
  if (named.length < 2 || !asksForCredentials(security)) return [];
  const role = roles.list === undefined ? 'get' : 'list';
  return named.map((schemes) => ({ id: schemes.join('-and-'), schemes, role }));
}

function listLackedScopes(role: AskedRole, { subject: { roles } }: Binding): Row[] {
  const operation = roles[role]?.operation;
  if (operation?.secured !== true || !asksForCredentials(operation.security)) return [];
  const rows = operation.security.flatMap((shown) =>
    listWays(shown, operation).map((lacks) => ({
      id: `${role}-without-${lacks.scopes.join('-and-')}`,
      role,
      operation: operation.id,
      // The only combination needs no name: the run's key is for it.
      schemes: operation.security.length > 1 ? shown.map(({ name }) => name) : undefined,
      words: lacks.scopes.map((scope) => `\`${scope}\``).join(' and '),
      lacks,
    })),
  );
  // Two schemes with the same scopes, asked for together, ask the same (one for each flow of OAuth).
  return rows.filter(({ id }, index) => rows.findIndex((other) => other.id === id) === index);
}

function listLackedScopesOfChanges(binding: Binding): Row[] {
  return listBodiesOfChanges(binding).flatMap(({ role, record }) =>
    listLackedScopes(role, binding).map((row) => Object.assign(row, { record })),
  );
}

function listWays(shown: Security[number], { security, scopes }: Operation): LackedScopes[] {
  const schemes = new Map(security.flat().map((scheme) => [scheme.name, scheme]));
  // A token shown for one scheme may be taken for another that has the same place in a request.
  const isSamePlace = (one: SecurityScheme, other: SecurityScheme | undefined): boolean =>
    other === undefined || (one.kind === other.kind && one.at.toLowerCase() === other.at.toLowerCase());
  const isShown = (alternative: NeededScopes): boolean =>
    Object.keys(alternative).every((name) => shown.some((each) => isSamePlace(each, schemes.get(name))));
  const open = scopes.filter(isShown);
  if (open.length === 0) return [];
  return shown.flatMap(({ name }) => {
    const needed = open.map((alternative) => (Object.hasOwn(alternative, name) ? (alternative[name] ?? []) : []));
    const ways = needed.reduce<string[][]>(
      (found, each) => found.flatMap((way) => each.map((scope) => [...new Set([...way, scope])].toSorted())),
      [[]],
    );
    const different = [...new Map(ways.map((way) => [way.join(' '), way])).values()];
    return different.slice(0, MOST_WAYS).map((each) => ({ scheme: name, scopes: each }));
  });
}

/** Header fields that change nothing about a response, each of a list or of one record in turns; none that the contract describes. */
function listClients(role: 'list' | 'get', binding: Binding): Row[] {
  const served = (['list', 'get'] as const).filter((each) => respondsInJson(each, binding));
  return listUnnamed(role, binding)
    .filter((_, index) => served[index % served.length] === role)
    .map((row) => {
      const mayForbid = row.mayForbid === true && !isIgnored('Origin', binding.contract);
      return Object.assign({ status: mayForbid ? '$doneOrForbidden' : '$done' }, row);
    });
}

function respondsInJson(role: AskedRole, { subject: { roles } }: Binding): boolean {
  const responses = roles[role]?.operation.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const types = responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  return types.length > 0 && types.every((type) => type === 'application/json');
}

function listUnnamed(role: AskedRole, { subject: { roles } }: Binding): readonly CaseRow<'clients'>[] {
  const named = new Set(roles[role]?.operation.parameters.map(({ name }) => name.toLowerCase()));
  return readCases('clients').filter(({ headers }) =>
    Object.keys(headers).every((name) => !named.has(name.toLowerCase())),
  );
}

function listClientsWithoutKey(binding: Binding): Row[] {
  const [secured] = listSecured(['list', 'get'], binding);
  if (secured === undefined) return [];
  return listUnnamed(secured.role, binding)
    .filter(({ opens }) => opens === true)
    .map((row) => Object.assign({}, secured, row));
}

/** Where keys are integers, such header fields are sent with those that no record has. */
function listClientsOfUnknown(binding: Binding): Row[] {
  if (binding.subject.resource.key.kind === 'integer' || !respondsInJson('get', binding)) return [];
  return listUnnamed('get', binding).filter(({ isNegotiated }) => isNegotiated === true);
}

function listMediaTypes({ subject, made, contract }: Binding): Row[] {
  const { create } = subject.roles;
  if (create === undefined || create.requestMember !== undefined) return [];
  const { operation } = create;
  const record = made.minimal;
  const plain = pick(made.plain, Object.keys(record));
  const isSent = (type: string): boolean => {
    const form = formOf(operation, type);
    if (form === undefined) return /^application\/[\w.-]+\+json$/.test(type);
    // An empty form is no body.
    if (Object.keys(record).length === 0 || findUnwritable(plain, form) !== undefined) return false;
    return contract.validate.requestBody(operation, type, plain).length === 0;
  };
  const types = operation.requestBody?.content.map(({ mediaType }) => mediaType) ?? [];
  return types
    .filter((type) => type !== recordTypeOf(operation) && isSent(type))
    .map((mediaType) => {
      const body = { json: record, mediaType };
      return { id: mediaType, body, like: replaceUnique(record), likeNow: record };
    });
}

const OUTPUTS = { '': 'unique', Integer: 'number', Word: 'word' };

/** What the create made unique, where a later step refers to it; what is drawn from a pattern, none can. */
function replaceUnique(record: RecordTemplate): RecordTemplate {
  const known = Object.entries(record).filter(([, value]) => !String(value).startsWith('$uniqueLike'));
  const refer = (text: string): string =>
    text.replace(
      /(?<=^|\{)\$unique(Integer|Word)?(?=\}|$)/g,
      (_, kind: keyof typeof OUTPUTS = '') => `$steps.create.outputs.${OUTPUTS[kind]}`,
    );
  return Object.fromEntries(known.map(([name, value]) => [name, typeof value === 'string' ? refer(value) : value]));
}

/** A charset has no effect for JSON (RFC 8259 section 11), though many clients send one. */
function listMediaTypeForms({ subject: { roles } }: Binding): Row[] {
  if (roles.create === undefined || recordTypeOf(roles.create.operation) !== 'application/json') return [];
  return [
    { id: 'charset', mediaType: 'application/json; charset=utf-8' },
    // RFC 9110 section 8.3.1: types are case-insensitive.
    { id: 'in-another-case', mediaType: 'Application/JSON' },
  ];
}

function listRepeatKeys({ subject: { roles, putsNew } }: Binding): Row[] {
  const { create } = roles;
  // A PUT is the same however often it is sent.
  if (putsNew !== undefined || create?.success.body !== 'record') return [];
  return create.operation.parameters
    .filter(({ in: place, name }) => place === 'header' && isRepeatKey(name))
    .map(({ name }) => ({
      id: name,
      first: { [name]: UNIQUE_UUID },
      between: { [name]: UNIQUE_UUID },
      again: { [name]: `${OWN_UUID}{$steps.first.outputs.number}` },
    }));
}

export const CREDENTIAL_TABLES: Tables = {
  $credentials: listCredentials,
  $credentialsOfChanges: (binding) => listSecured(CHANGING, binding),
  $securedReads: (binding) => listSecured(['list', 'get'], binding),
  $securedCreates: (binding) => listSecured(['create'], binding),
  $drafts: listDrafts,
  $credentialForms: listCredentialForms,
  $securedPages: listSecuredPages,
  $securedLengths: (binding) => {
    const size = sizeParameter(binding.subject.roles.list?.list?.paging);
    return size === undefined ? [] : ofSecuredList([{ id: 'longest' }], binding);
  },
  $securedFilters: listSecuredFilters,
  $alternatives: listAlternatives,
  $lackedScopes: (binding) => READING.flatMap((role) => listLackedScopes(role, binding)),
  $lackedScopesOfChanges: listLackedScopesOfChanges,
  $clientFields: (binding) => listClients('list', binding),
  $clientFieldsOfOne: (binding) => listClients('get', binding),
  $clientsWithoutKey: listClientsWithoutKey,
  $clientsOfUnknown: listClientsOfUnknown,
  $mediaTypes: listMediaTypes,
  $mediaTypeForms: listMediaTypeForms,
  $repeatKeys: listRepeatKeys,
};
