import { PetstoreMockError, type SourcePlace } from '../../../errors.js';
import type { Role } from '../resource.js';

/** What a person says of one collection, in a file or in the contract; what is left out is inferred. */
export interface Correction {
  /** `false`: it is no resource. `true`: it is one, whatever its path is called. */
  isResource?: boolean;
  name?: string;
  /** The path of one of its items. */
  item?: string;
  /** The property that is the key. */
  key?: string;
  members?: { record?: readonly string[]; list?: readonly string[] };
  /** The resource to which it belongs, by name; `false`: to none. */
  parent?: string | false;
  /** The role of an operation, by its id; `false`: it keeps no state. */
  operations?: Readonly<Record<string, Role | false>>;
  /** Where it says so: of a part, such as `key` or `operations/addPet`, or as a whole. */
  placeOf(part: string): SourcePlace | undefined;
}

/** What a person says of a contract's resources. */
export interface Corrections {
  /** By the collection path, as it was written. */
  byPath: ReadonlyMap<string, Correction>;
}

export const NO_CORRECTION: Correction = { placeOf: () => undefined };

/** Throws a {@link PetstoreMockError} for what a correction says that the contract does not bear out. */
export function refuse(correction: Correction, part: string, message: string): never {
  throw new PetstoreMockError('unusable-resources', message, correction.placeOf(part));
}
