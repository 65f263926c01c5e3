// Who may see what: of the records that a list shows, and with a second credential.
import { asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { listReserved, saysPrivate } from '../../contract/operations/said-in-words.js';
import type { AskedRole } from '../../contract/resources/resource.js';
import { wordsOf } from '../../contract/gaps/gaps.js';
import type { Row } from '../model/scenario.js';
import { listRoles, listSent, type Binding, type Tables } from '../resources/instance.js';
import { listBodiesOfChanges } from './changes.js';

/** So many records of a page are read where the contract rejects who may not see one, and elsewhere. */
const MOST_READ = { guarded: 25, open: 2 };

function listListedReads({ subject: { roles } }: Binding): Row[] {
  if (roles.list === undefined || roles.get === undefined) return [];
  // Who may do what depends on the record where an operation may be forbidden.
  const responses = Object.values(roles).flatMap(({ operation }) => operation.responses);
  const isGuarded = responses.some(({ status }) => status === '403');
  return [{ id: 'page', most: isGuarded ? MOST_READ.guarded : MOST_READ.open }];
}

/** What is said of an operation: of it alone, and of all records or those of its resource, in a sentence or anywhere in a line. */
function listTexts(role: AskedRole, { subject, contract: { document } }: Binding, isWhole = false): string[] {
  const operation = subject.roles[role]?.operation;
  if (operation === undefined) return [];
  const forbidden = operation.responses.find(({ status }) => status === '403');
  const of = (at: string): unknown => asObject(resolveAt(document, at).value)['description'];
  // A path may say it of all its operations.
  const ofPath = of(operation.pointer.slice(0, operation.pointer.lastIndexOf('/')));
  const own = [ofPath, of(operation.pointer), forbidden === undefined ? undefined : of(forbidden.pointer)];
  const { record, records } = wordsOf(subject.resource);
  const all = new RegExp(String.raw`\b(?:records?|resources?|items?|objects?|everything|${record}|${records})\b`, 'i');
  const lines = isWhole ? (asText(of('/info')) ?? '').split('\n') : splitSentences(of('/info'));
  const ofAll = lines.filter((each) => all.test(each)).flatMap(splitSentences);
  return [...own.flatMap(splitSentences), ...ofAll];
}

function splitSentences(text: unknown): string[] {
  return (asText(text) ?? '').replaceAll(/\s+/g, ' ').split(/(?<=[.!?]) /);
}

function isReserved(role: AskedRole, binding: Binding): boolean {
  const reserved = listTexts(role, binding).map(listReserved);
  return reserved.some((each) => each.reads || (each.changes && role !== 'get' && role !== 'list'));
}

function listForOthers(binding: Binding): Row[] {
  const rows = [...listRoles(['get'], binding), ...listBodiesOfChanges(binding)];
  return rows.filter(({ role }) => binding.subject.roles[role]?.operation.secured === true);
}

/** The values by which a record is said to be for its owner alone: `visibility: private`. */
function listPrivate(binding: Binding): Row[] {
  const said = (['get', 'list', 'create'] as const).flatMap((role) => listTexts(role, binding, true));
  // `A private note belongs to its key. With any other key it does not exist.`
  const isPrivate = (each: string, index: number): boolean => saysPrivate(`${each} ${said[index + 1] ?? ''}`);
  return listSent(binding)
    .flatMap(({ name, type, schema }) => {
      const isFlag = type === 'boolean' && /^(?:is_?)?private$/i.test(name);
      const isChoice = Array.isArray(schema['enum']) && schema['enum'].includes('private');
      return isFlag || isChoice ? [{ name, schema, value: isFlag || 'private' }] : [];
    })
    .filter(({ schema }) => [...said, asText(schema['description']) ?? ''].some(isPrivate))
    .slice(0, 1)
    .flatMap(({ name, value }) =>
      [...listRoles(['get', 'list'], binding), ...listBodiesOfChanges(binding)].map((row) =>
        Object.assign(row, { with: { [name]: value } }),
      ),
    );
}

function listLists(binding: Binding, areReserved: boolean): Row[] {
  const operation = binding.subject.roles.list?.operation;
  const isAsked = operation?.secured === true && isReserved('list', binding) === areReserved;
  return isAsked ? [{ id: 'list', operation: operation.id }] : [];
}

export const ACCESS_TABLES: Tables = {
  $openToOthers: (binding) => listForOthers(binding).filter(({ role }) => !isReserved(role as AskedRole, binding)),
  $closedToOthers: (binding) => listForOthers(binding).filter(({ role }) => isReserved(role as AskedRole, binding)),
  $privateRecords: (binding) => listPrivate(binding).filter(({ id }) => id !== 'list'),
  $privateLists: (binding) => listPrivate(binding).filter(({ id }) => id === 'list'),
  $openLists: (binding) => listLists(binding, false),
  $closedLists: (binding) => listLists(binding, true),
  $listedReads: listListedReads,
};
