import { readProperties, readValueShape } from '../../../contract/operations/properties.js';
import {
  readFact,
  splitWords,
  type FactNaming,
  type ListFact,
  isAboutList,
} from '../../../contract/resources/bodies.js';
import type { Served } from '../served.js';

export interface OtherFact {
  name: ListFact;
  path: readonly string[];
}

/**
 * What else an envelope says of its list, by what its members count: `articlesCount`, `first_id`. Only the mock fills
 * these in, since a guess by a name accuses nobody there.
 */
export function listOtherFacts(served: Served): OtherFact[] {
  const { envelope, schemaPointer } = served.role.success;
  if (envelope === undefined || schemaPointer === undefined) return [];
  const { member, ...told } = envelope;
  const known = new Set([member, ...Object.values(told)].map((path) => path.join('/')));
  const found = listAround(served, schemaPointer, member).filter(({ path }) => !known.has(path.join('/')));
  const hasTotal = told.total !== undefined || found.some(({ name }) => name === 'total');
  return found.map(({ name, path }) => ({
    name: name === 'count or total' ? (hasTotal ? 'count' : 'total') : name,
    path,
  }));
}

interface Found {
  name: NonNullable<ReturnType<typeof readFact>>;
  path: readonly string[];
}

/** In the objects around the list, and in those beside it that are about it. */
function listAround({ contract: { document }, kept }: Served, body: string, member: readonly string[]): Found[] {
  const records = new Set([kept.name, kept.singular, member.at(-1) ?? ''].flatMap(splitWords));
  const naming: Omit<FactNaming, 'types'> = { records, key: kept.key?.property };
  const listIn = (at: string, path: readonly string[], depth: number): Found[] =>
    readProperties(document, at).flatMap(({ name, schemaPointer }): Found[] => {
      const here = [...path, name];
      const isOnTheWay = name === member[path.length] && path.every((step, index) => step === member[index]);
      if (isOnTheWay) return here.length < member.length ? listIn(schemaPointer, here, 0) : [];
      const { types } = readValueShape(document, schemaPointer, 0);
      const isInside = depth < 2 && types.includes('object') && isAboutList(name);
      if (isInside) return listIn(schemaPointer, here, depth + 1);
      const fact = readFact(name, { ...naming, types });
      return fact === undefined ? [] : [{ name: fact, path: here }];
    });
  return listIn(body, [], 0);
}
