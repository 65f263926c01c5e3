import type { SchemaObject } from '../../contract/model.js';

const CHANGE =
  /^(?:date_?)?(?:(?:last_?)?(?:updated?|modified|changed?|edited|modification|revised))(?:_?(?:at|on|date|time|timestamp|ts))*$/i;
const END =
  /(?:delet|remov|archiv|clos|finish|complet|cancel|expir|paid|ship|deliver|end|revok|suspend|publish|verif|confirm|approv|reject|resolv)[a-z]*(?:_?(?:at|on|date|time|timestamp))+$/i;
const TIME = /(?:(?:_|[a-z])(?:At|_at|On|_on)|(?:date|time|timestamp|created|updated|modified)s?)$/i;

/** Whether the name of a property suggests the time of the record's last change. */
export function isTimeOfChange(name: string): boolean {
  return CHANGE.test(name);
}

/** Whether the name suggests the time of an event that has not yet happened to a new record. */
export function isTimeOfEnd(name: string): boolean {
  return END.test(name);
}

/** The time in the form of a property with this name and schema; `undefined` if the property is not a time. */
export function stampTime(name: string, schema: SchemaObject, now: number): string | number | undefined {
  const types = [schema['type']].flat();
  const iso = new Date(now).toISOString();
  if (schema['format'] === 'date-time') return iso;
  if (schema['format'] === 'date') return iso.slice(0, 10);
  if (!TIME.test(name) || schema['enum'] !== undefined) return undefined;
  if (types.includes('string') && schema['format'] === undefined && schema['pattern'] === undefined) return iso;
  if (!types.includes('integer')) return undefined;
  const example = Number(schema['example'] ?? 0);
  return example > 1e11 ? now : Math.floor(now / 1000);
}
