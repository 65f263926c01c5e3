import { answeredCheck } from './answered.js';
import { bodyCheck } from './body.js';
import type { Check } from './check.js';
import { containsCheck } from './contains.js';
import { contentTypeCheck } from './content-type.js';
import { coversCheck } from './covers.js';
import { echoCheck } from './echo.js';
import { equalsCheck } from './equals.js';
import { errorBodyCheck } from './error-body.js';
import { expectedBodyCheck } from './expected-body.js';
import { expectedHeadersCheck } from './expected-headers.js';
import { extraFieldsCheck } from './extra-fields.js';
import { filterCheck } from './filter.js';
import { jsonCheck } from './json.js';
import { keyEchoCheck } from './key-echo.js';
import { leftBehindCheck } from './left-behind.js';
import { limitCheck } from './limit.js';
import { listedCheck } from './listed.js';
import { newIdCheck } from './new-id.js';
import { noBodyCheck } from './no-body.js';
import { noRefusedPetsCheck } from './none-refused.js';
import { ownRecordsCheck } from './own-records.js';
import { pageCheck } from './page.js';
import { recordCheck } from './record-like.js';
import { recordsCheck } from './records-listed.js';
import { rightPetCheck } from './right-pet.js';
import { samePetCheck } from './same-pet.js';
import { serverErrorCheck } from './server-error.js';
import { statusCheck } from './status.js';
import { storedOnceCheck } from './stored-once.js';
import { uniqueIdsCheck } from './unique-ids.js';

/** All checks, in the order of their findings in reports. */
export const checks: readonly Check[] = [
  answeredCheck,
  serverErrorCheck,
  statusCheck,
  contentTypeCheck,
  jsonCheck,
  bodyCheck,
  errorBodyCheck,
  noBodyCheck,
  uniqueIdsCheck,
  storedOnceCheck,
  limitCheck,
  filterCheck,
  rightPetCheck,
  echoCheck,
  newIdCheck,
  samePetCheck,
  keyEchoCheck,
  extraFieldsCheck,
  expectedHeadersCheck,
  expectedBodyCheck,
  equalsCheck,
  containsCheck,
  pageCheck,
  coversCheck,
  listedCheck,
  noRefusedPetsCheck,
  leftBehindCheck,
  recordCheck,
  recordsCheck,
  ownRecordsCheck,
];
