import type { Role } from './resource.js';

/** What a person says of one collection, in a file or in the contract; what is left out is inferred. */
export interface Correction {
  /** `false`: it is none. `true`: it is one, by whatever name its path goes. */
  isResource?: boolean;
  name?: string;
  /** The property that is the key. */
  key?: string;
  /** The resource to which it belongs, by name; `false`: to none. */
  parent?: string | false;
  /** The role of an operation, by its id; `false`: it keeps no state. */
  operations?: Readonly<Record<string, Role | false>>;
}

export const NO_CORRECTION: Correction = {};
