import { listProperties } from '../../contract/operations/properties.js';
import { cutText } from '../../contract/document/json.js';
import { resolveAt } from '../../contract/document/references.js';
import { isRecord, show } from './shown.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import { findLabelled, findRule } from './find-response.js';
import { kindOfBody } from './body-kind.js';

export const extraFieldsCheck: Check = {
  id: 'extra-fields',
  title: 'a response has no fields beyond the contract (a deviation only with --strict)',
  run(context) {
    const known = knownFields(context);
    if (known === undefined || context.body.kind !== 'json') return [];
    const { value } = context.body;
    const collector = collectFields(known, context.strict ? 'deviation' : 'information');
    if (Array.isArray(value)) for (const [index, item] of value.entries()) collector.add(item, `body/${index}`);
    // In place of a list, an object is none of its items.
    else if (!isOfList(context)) collector.add(value, 'body');
    return collector.found;
  },
};

function isOfList({ contract, sent: { operation }, answer }: CheckContext): boolean {
  if (operation === undefined || answer.kind !== 'answered') return false;
  return kindOfBody(contract, operation, [answer.status]) === 'list';
}

/** An answer may have millions of extra fields. So many are reported, each for so many records; the last finding counts the rest. */
const MOST_FIELDS = 100;
const MOST_RECORDS = 3;
const MOST_OF_NAME = 80;

function collectFields(known: ReadonlySet<string>, severity: 'deviation' | 'information') {
  const found: CheckFinding[] = [];
  const toldOf = new Map<string, CheckFinding[]>();
  const add = (record: unknown, at: string): void => {
    if (!isRecord(record)) return;
    for (const field in record) {
      if (known.has(field)) continue;
      const told = toldOf.get(field) ?? [];
      const last =
        told.length === MOST_RECORDS || toldOf.size === MOST_FIELDS ? (told.at(-1) ?? found.at(-1)) : undefined;
      if (last !== undefined) {
        last.more = (last.more ?? 0) + 1;
        continue;
      }
      const name = cutText(field, MOST_OF_NAME);
      const finding = { rule: name, at: `${at}/${name}`, expected: 'absent', actual: show(record[field]), severity };
      found.push(finding);
      toldOf.set(field, [...told, finding]);
    }
  };
  return { found, add };
}

/** The fields that the contract gives the body, or the items of a list. */
export function knownFields(context: CheckContext): Set<string> | undefined {
  const rule = findRule(context);
  const schema = rule === undefined ? undefined : findLabelled(rule, context)?.schemaPointer;
  if (schema === undefined) return undefined;
  const fields = listProperties(context.contract.document, schema);
  return fields.size > 0 ? fields : listItemFields(context, schema);
}

function listItemFields({ contract }: CheckContext, schema: string): Set<string> | undefined {
  const items = `${resolveAt(contract.document, schema).pointer}/items`;
  return contract.document.at(items) === undefined ? undefined : listProperties(contract.document, items);
}
