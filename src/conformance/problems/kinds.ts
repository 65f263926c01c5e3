/** What kinds of failures there are: the order of problems, and what did not hold, for the `also` lines of reports. */
export interface KindOfFailure {
  /**
   * The most important first. 0: a request gets no response. 1: somebody gets in, or learns what is not for them. 2: data is lost
   * or changed. 3: other failures. 4: defects of form, which few clients notice.
   */
  severity: number;
  /**
   * What one cause has in common: services check keys, and write errors, in one place for all operations; a rule for requests
   * belongs to an operation; what becomes of records, to their resource.
   */
  scope: 'service' | 'operation' | 'resource';
  /** What was checked, a noun phrase: `rejection of an invalid request`. */
  checked: string;
}

const [fails, leaks, loses, wrong, slight] = [0, 1, 2, 3, 4];

function kind(severity: number, scope: KindOfFailure['scope'], checked: string): KindOfFailure {
  return { severity, scope, checked };
}

export const KINDS = {
  unanswered: kind(fails, 'service', 'complete response'),
  crash: kind(fails, 'operation', 'status below 500'),
  'key-accepted': kind(leaks, 'service', 'rejection of a missing or wrong key'),
  'scope-accepted': kind(leaks, 'service', 'rejection of a token without the scope'),
  access: kind(leaks, 'resource', 'rejection of a second credential'),
  'error-leak': kind(leaks, 'service', 'errors about one request alone'),
  'key-echo': kind(leaks, 'service', 'no API key in a response'),
  'key-status': kind(slight, 'service', 'status 401 for a missing or wrong key'),
  'key-refused': kind(wrong, 'service', 'acceptance of a valid key'),
  'error-as-success': kind(wrong, 'service', 'status of an error'),
  'success-status': kind(wrong, 'operation', 'status of a success'),
  refused: kind(wrong, 'operation', 'acceptance of a valid request'),
  accepted: kind(wrong, 'operation', 'rejection of an invalid request'),
  'refusal-status': kind(slight, 'operation', 'status of a rejection'),
  'not-json': kind(wrong, 'service', 'JSON body'),
  'no-body': kind(wrong, 'service', 'body'),
  'content-type': kind(slight, 'service', 'media type'),
  'error-shape': kind(slight, 'service', 'Error body'),
  'error-status': kind(slight, 'service', '`status` in the Error body'),
  envelope: kind(wrong, 'service', 'body without an envelope'),
  'body-type': kind(wrong, 'operation', 'type of the body'),
  'missing-fields': kind(wrong, 'service', 'required field'),
  'field-value': kind(wrong, 'service', 'value by the schema'),
  'undefined-field': kind(wrong, 'service', 'no field beside the schema'),
  header: kind(slight, 'service', 'header field'),
  'body-forbidden': kind(slight, 'operation', 'no body where HTTP has none'),
  changed: kind(loses, 'service', 'unchanged value'),
  flaky: kind(loses, 'service', 'equal responses to equal requests'),
  other: kind(slight, 'service', 'contract'),
  'not-as-sent': kind(loses, 'resource', 'value as it was sent'),
  'not-removed': kind(loses, 'resource', 'removal of what a replacement leaves out'),
  'not-merged': kind(loses, 'resource', 'merge patch'),
  'wrong-record': kind(loses, 'resource', 'record that was asked for'),
  'key-twice': kind(loses, 'resource', 'a key for each record'),
  'too-many': kind(loses, 'resource', 'limit'),
  'short-page': kind(loses, 'resource', 'full page'),
  filter: kind(loses, 'resource', 'filter'),
  twice: kind(loses, 'resource', 'each record once'),
  missing: kind(loses, 'resource', 'created record'),
  'left-out': kind(loses, 'resource', 'complete list'),
  'still-there': kind(loses, 'resource', 'absence of a deleted record'),
  leaked: kind(leaks, 'resource', 'records of one parent alone'),
  total: kind(loses, 'resource', 'total'),
  'stored-twice': kind(loses, 'resource', 'one record for one create'),
  stale: kind(loses, 'resource', 'validator'),
  part: kind(wrong, 'operation', 'part of the whole'),
  'read-only': kind(loses, 'resource', 'read-only field'),
  'write-only': kind(leaks, 'service', 'write-only field'),
  default: kind(loses, 'resource', 'default'),
  'stored-rejected': kind(loses, 'resource', 'absence of what was rejected'),
  location: kind(loses, 'resource', '`Location`'),
  order: kind(loses, 'resource', 'order'),
  parent: kind(loses, 'resource', 'parent of a record'),
  taken: kind(loses, 'resource', 'unique value'),
} as const satisfies Readonly<Record<string, KindOfFailure>>;

export type FailureKind = keyof typeof KINDS;
