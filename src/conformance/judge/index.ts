import { answeredCheck } from './answered.js';
import { bodyCheck } from './body.js';
import type { Check } from './check.js';
import { contentTypeCheck } from './content-type.js';
import { equalsCheck } from './equals.js';
import { errorBodyCheck } from './error-body.js';
import { expectedBodyCheck } from './expected-body.js';
import { expectedHeadersCheck } from './expected-headers.js';
import { extraFieldsCheck } from './extra-fields.js';
import { jsonCheck } from './json.js';
import { keyEchoCheck } from './key-echo.js';
import { noBodyCheck } from './no-body.js';
import { ownRecordsCheck } from './own-records.js';
import { recordCheck } from './record-like.js';
import { recordsCheck } from './records-listed.js';
import { serverErrorCheck } from './server-error.js';
import { statusCheck } from './status.js';
import { unaskedCredentialsCheck } from './unasked-credentials.js';

/** All checks, in the order of their findings in reports. */
export const checks: readonly Check[] = [
  answeredCheck,
  serverErrorCheck,
  statusCheck,
  unaskedCredentialsCheck,
  contentTypeCheck,
  jsonCheck,
  bodyCheck,
  errorBodyCheck,
  noBodyCheck,
  keyEchoCheck,
  extraFieldsCheck,
  expectedHeadersCheck,
  expectedBodyCheck,
  equalsCheck,
  recordCheck,
  recordsCheck,
  ownRecordsCheck,
];
