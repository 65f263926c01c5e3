import type { Contract } from './contract.js';
import { escapePointer, parsePointer, type SourceDocument } from './document/document.js';
import { resolveAt } from './document/references.js';
import type { Operation } from './model.js';

type Described = Pick<Contract, 'document' | 'operations'>;

export function createTranslator(from: Described, to: Described): (pointer: string) => string {
  const pairs = new Map<string, string>();
  for (const one of from.operations) {
    const other = to.operations.find(({ id }) => id === one.id);
    if (other === undefined) continue;
    put(pairs, one.pointer, other.pointer);
    put(pairs, one.pointer.replace(/\/[^/]*$/, ''), other.pointer.replace(/\/[^/]*$/, ''));
    const [names, others] = [one, other].map(({ security }) => security.flat().map(({ name }) => name));
    for (const [index, name] of (names ?? []).entries()) {
      const same = others?.[index];
      if (same !== undefined) put(pairs, toPointer([...SCHEMES, name]), toPointer([...SCHEMES, same]));
    }
    for (const [own, its] of pairSchemas(pairs, one, other))
      pairParts(pairs, { document: from.document, at: own }, { document: to.document, at: its });
  }
  return (pointer) => {
    const parts = parsePointer(pointer);
    for (let length = parts.length; length > 0; length--) {
      const same = pairs.get(toPointer(parts.slice(0, length)));
      if (same !== undefined) return reach(same, parts.slice(length), to.document);
    }
    return reach('', parts, to.document);
  };
}

const toPointer = (parts: readonly string[]): string => parts.map((part) => `/${escapePointer(part)}`).join('');

function reach(place: string, parts: readonly string[], document: SourceDocument): string {
  let reached = place;
  for (const part of parts) {
    const next = `${reached}${toPointer([part])}`;
    if (document.at(next) === undefined) return reached;
    reached = next;
  }
  return reached;
}

function put(pairs: Map<string, string>, one: string, other: string): void {
  if (!pairs.has(one)) pairs.set(one, other);
}

const SCHEMES = ['components', 'securitySchemes'];

function pairSchemas(pairs: Map<string, string>, one: Operation, other: Operation): [string, string][] {
  // A path has its parameters in an order; those of other places are known by their names.
  const [first, ...more] = other.parameters.filter((each) => each.in === 'path');
  const parameters = one.parameters.map((own) => {
    const named = other.parameters.find((each) => each.in === own.in && each.name === own.name);
    return [own, named ?? (own.in === 'path' && more.length === 0 ? first : undefined)] as const;
  });
  for (const [own, its] of parameters) put(pairs, own.pointer, its?.pointer ?? other.pointer);
  const responses = one.responses.map(
    (own) => [own, other.responses.find(({ status }) => status === own.status)] as const,
  );
  const bodies = [[one.requestBody, other.requestBody] as const, ...responses];
  for (const [own, its] of bodies) if (own !== undefined && its !== undefined) put(pairs, own.pointer, its.pointer);
  const contents = bodies.flatMap(([own, its]) =>
    (own?.content ?? []).map((each, index) => {
      const same = its?.content.find(({ mediaType }) => mediaType === each.mediaType);
      return [each, same ?? its?.content[index]] as const;
    }),
  );
  return [...parameters, ...contents].flatMap(([own, its]) =>
    own.schemaPointer === undefined || its?.schemaPointer === undefined ? [] : [[own.schemaPointer, its.schemaPointer]],
  );
}

type Place = Record<'at', string> & Pick<Described, 'document'>;

function pairParts(pairs: Map<string, string>, one: Place, other: Place): void {
  const [own, its] = [resolveAt(one.document, one.at), resolveAt(other.document, other.at)];
  put(pairs, one.at, other.at);
  if (one.at !== own.pointer && pairs.has(own.pointer)) return;
  put(pairs, own.pointer, its.pointer);
  if (typeof own.value !== 'object' || own.value === null) return;
  for (const key of Object.keys(own.value)) {
    const part = toPointer([key]);
    if (other.document.at(its.pointer + part) === undefined) continue;
    pairParts(pairs, { ...one, at: own.pointer + part }, { ...other, at: its.pointer + part });
  }
}
