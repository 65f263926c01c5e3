import { PetstoreMockError, type SourcePlace } from '../../../errors.js';
import type { Role } from '../resource.js';

/** A user's statements about one collection, in a file or in the contract; the rest is inferred. */
export interface Correction {
  /** `false`: it is not a resource. `true`: it is one, whatever the path. */
  isResource?: boolean;
  name?: string;
  /** The path of one of its items. */
  item?: string;
  /** The property that is the key. */
  key?: string;
  members?: { record?: readonly string[]; list?: readonly string[] };
  /** The name of the parent resource; `false` for none. */
  parent?: string | false;
  /** The roles of operations, by id; `false` for an operation that keeps no state. */
  operations?: Readonly<Record<string, Role | false>>;
  /** The place of a statement, such as `key` or `operations/addPet`, or of the whole. */
  placeOf(part: string): SourcePlace | undefined;
}

/** A user's statements about a contract's resources. */
export interface Corrections {
  /** By the collection path, as written. */
  byPath: ReadonlyMap<string, Correction>;
}

export const NO_CORRECTION: Correction = { placeOf: () => undefined };

/** Throws a {@link PetstoreMockError} for a statement that contradicts the contract. */
export function refuse(correction: Correction, part: string, message: string): never {
  throw new PetstoreMockError('unusable-resources', message, correction.placeOf(part));
}
