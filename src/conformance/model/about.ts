/** What a scenario of a resource is about: facts for what explains its findings, which never reads its id. */
export interface About {
  /** The name of the resource. */
  resource: string;
  /** The field that tells its records apart. Absent where the run has no need of it. */
  key?: string;
  /** The scenario that every resource has: `lists/filter`. */
  scenario: string;
  /** The query parameter by which its list is filtered, the field or the header field that it is about. */
  filter?: string;
  field?: string;
  header?: string;
}

/**
 * What a step asks for, where that is not a record that should be there: one that nobody has (`absent`), one below another parent
 * (`apart`), what is below a parent that nobody has (`absentParent`), a key at which a create was refused (`refused`), or one that no
 * record had until this step (`new`). `laterPage` is a page after the first, `first` the first record that the run has created, and
 * `merged` one of which an update named a part. Of a `given` one, a scenario file has the key.
 */
export type Asks = 'absent' | 'apart' | 'absentParent' | 'refused' | 'new' | 'laterPage' | 'first' | 'merged' | 'given';
