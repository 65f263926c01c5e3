import type { Field } from './fields.js';

/** What is wrong with a record. */
export interface Problems {
  /** By the field at which it is shown. */
  byField: Readonly<Record<string, string>>;
  /** What belongs to no field. */
  general: string | undefined;
}

interface Refusal {
  message: string;
  violations: readonly { pointer: string; message: string }[];
}

/** Puts what the mock refuses at the fields that it names. */
export function placeProblems({ message, violations }: Refusal, fields: readonly Pick<Field, 'name'>[]): Problems {
  const byField: Record<string, string> = {};
  const others: string[] = [];
  for (const violation of violations) {
    const [, step = ''] = violation.pointer.split('/');
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const told = violation.message.replace(/^body[/ ]?/, '');
    if (!fields.some((field) => field.name === name)) others.push(told);
    else byField[name] = [byField[name], sayOf(name, told)].filter((text) => text !== undefined).join('; ');
  }
  if (violations.length === 0) return { byField, general: message };
  return { byField, general: others.length === 0 ? undefined : others.join('; ') };
}

/** `name must be a string` stands at the field `name`, whose name need not be said again; that of a part of it does. */
function sayOf(name: string, told: string): string {
  if (!told.startsWith(`${name} `)) return told;
  const rest = told.slice(name.length + 1);
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}
