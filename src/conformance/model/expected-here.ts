/** What a team expects of a target beside what the contract says, at some operations, and why. */
export interface ExpectedHere {
  /** The operation, by its `operationId` or as `GET /users`. Default: each at `path`. */
  operation?: string | undefined;
  /** The path of the contract, in which `*` stands for anything. Default: any. */
  path?: string | undefined;
  /** Statuses that are fine here, such as `409` or `5XX`. */
  status?: number | string | readonly (number | string)[] | undefined;
  /** Checks that are switched off, by their ids. */
  off?: string | readonly string[] | undefined;
  /** Formats whose violations are only noted, such as `date-time`. */
  formats?: string | readonly string[] | undefined;
  /** Why, for whoever reads the report. */
  reason: string;
}
