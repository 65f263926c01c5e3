/** A place in a file, for a message that a person can act on. */
export interface SourcePlace {
  /** The file as it was named, or as it is shown to the user. */
  file: string;
  /** 1-based line, where it is known. */
  line?: number | undefined;
  /** 1-based column, where it is known. */
  column?: number | undefined;
}

/** Why a {@link PetstoreMockError} was thrown. Stable: code against these, not against messages. */
export type ErrorCode =
  /** A file cannot be read. */
  | 'unreadable-file'
  /** The contract is not a document that can be served: not YAML, not OpenAPI 3, a broken reference, a bad schema. */
  | 'unusable-contract'
  /** `gaps.yaml` or a profile cannot be used. */
  | 'unusable-profile'
  /** A file of resources cannot be used, or says of the contract what is not so. */
  | 'unusable-resources'
  /** A file of records cannot be used, or has what the contract does not take. */
  | 'unusable-records'
  /** A fixture pack cannot be used. */
  | 'unusable-fixtures'
  /** The program's configuration file cannot be used. */
  | 'unusable-config'
  /** There is no such option, or it has a value it cannot have. */
  | 'bad-option'
  /** A handler of one's own cannot be used. */
  | 'bad-handler'
  /** A pet breaks the contract. */
  | 'bad-pet'
  /** A record breaks the contract, or has a key that another has. */
  | 'bad-record'
  /** There is no such collection. */
  | 'bad-collection'
  /** A collection holds as many records as it may. */
  | 'store-full'
  /** A world cannot be entered: a name that is none, or too many of them. */
  | 'bad-world'
  /** A fault cannot be planted. */
  | 'bad-fault'
  /** What is given as a date is none. */
  | 'bad-date'
  /** A snapshot cannot be saved, or there is none. */
  | 'bad-snapshot'
  /** Another process keeps its data in the folder. */
  | 'data-in-use'
  /** A folder with data cannot be used. */
  | 'unusable-data'
  /** What was asked for could not be kept, so it did not happen. */
  | 'unavailable'
  /** The requests that were waited for did not come in time. */
  | 'wait-timeout'
  /** Requests or answers broke the contract. */
  | 'violations'
  /** Less of the contract was exercised than was asked for. */
  | 'low-coverage'
  /** The admin API of a running mock refuses a call: a missing or wrong token, or what it cannot read. */
  | 'admin-refused'
  /** A scenario file cannot be used. */
  | 'unusable-scenario'
  /** A file of known deviations cannot be used. */
  | 'unusable-baseline'
  /** The results of shards cannot be put together. */
  | 'unusable-result'
  /** No scenario is left to run. */
  | 'empty-selection'
  /** The target refuses the API key outright. */
  | 'key-refused'
  /** A run got no credential: the login, the command or the token endpoint gave none. */
  | 'login-failed'
  /** Something answers at the target, but not the API. */
  | 'wrong-target'
  /** The target cannot be reached, or does not speak HTTP. */
  | 'target-unreachable'
  /** The port is in use. */
  | 'port-taken'
  /** The address cannot be listened on: no permission, or no such host. */
  | 'cannot-listen';

/**
 * What this package throws when it is given something it cannot use. The
 * message is one or more full sentences: what is wrong, where, what to do.
 */
export class PetstoreMockError extends Error {
  override readonly name = 'PetstoreMockError';
  readonly code: ErrorCode;
  /** Where in which file, when a file is at fault. */
  readonly place: SourcePlace | undefined;

  constructor(code: ErrorCode, message: string, place?: SourcePlace) {
    super(place === undefined ? message : `${formatPlace(place)}: ${message}`);
    this.code = code;
    this.place = place;
  }
}

/** `file:line:column`, as editors and terminals make it clickable. */
export function formatPlace(place: SourcePlace): string {
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
}
