import type { Operation } from '../model.js';
import { asList } from '../document/plain.js';
import { readAction } from './find-roles.js';
import type { Draft } from './read-resource.js';
import type { SchemaView } from './schema-view.js';
import { plainName } from './words.js';

/** Adds an action whose name implies the new value of a property: `POST /orders/{id}/cancel`. */
export function addActions(operation: Operation, verb: string, { finder, resource }: Draft): void {
  const [sets, another] = listChanges(finder.view, finder.record.schemaPointer, { verb, method: operation.method });
  if (sets === undefined || another !== undefined) return;
  const found = readAction(operation, finder);
  if (found !== undefined) resource.operations.push({ ...found, sets });
}

/** The properties that the name of an action evidently changes, with their new values. */
function listChanges(
  view: SchemaView,
  record: string,
  { verb, method }: { verb: string; method: string },
): { property: string; value: unknown }[] {
  if (method === 'GET') return [];
  const forms = listForms(plainName(verb));
  return [...view.properties(record).values()].flatMap(({ name, schemaPointer }) => {
    const plain = plainName(name);
    if (view.types(schemaPointer).includes('boolean')) {
      return forms.includes(plain.replace(/^is/, '')) ? [{ property: name, value: method !== 'DELETE' }] : [];
    }
    // An action that undoes a state does not say what the previous state was.
    if (method === 'DELETE' || !/(?:status|state)$/.test(plain)) return [];
    const values = asList(view.schema(schemaPointer)['enum']).filter((value) =>
      forms.includes(plainName(String(value))),
    );
    return values.length === 1 ? [{ property: name, value: values[0] }] : [];
  });
}

const STATES: Readonly<Record<string, readonly string[]>> = {
  activate: ['active'],
  deactivate: ['inactive'],
  open: ['open'],
  reopen: ['open'],
  complete: ['complete'],
  cancel: ['canceled', 'cancelled'],
};

/** The state after an action: `archive` leads to `archived`. */
function listForms(verb: string): string[] {
  if (verb.length < 4) return [];
  const regular = verb.endsWith('e') ? `${verb}d` : verb.endsWith('y') ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
  return [regular, `${verb}${verb.at(-1)}ed`, ...(STATES[verb] ?? [])];
}
