import { expect, test } from 'vitest';
import { ODDITIES } from './support/odd-marks.js';
import { runAgainstMock } from './support/odd-resource.js';
import { words } from '../../support/words.js';

const ASKED = words`
  */records/* */changes/read-only* */changes/update* */changes/replace* keys/lists/pages* */requests/sent-again*
  */lists/filter* */parents/replace-apart
`;

/** What proves that the mock keeps what it is asked for. */
const PASSED = words`
  badges/records/read-only[seal] badges/changes/read-only[seal] labels/changes/update[name] logins/records/write-only
  peers/records/defaults stays/lists/filter[paid] spots/records/get funds/records/get
  profiles/records/values[values-1] calls/records/list guests/records/get sales/records/created-alone
  bills/records/get-full keys/lists/pages[3] users/changes/replace orders/requests/sent-again[Idempotency-Key]
  fields/parents/replace-apart
`;

/** What a contract leaves open. */
const NOT_ASKED = words`
  labels/records/read-only[org] payers/records/write-only lines/records/defaults texts/records/defaults
  stays/lists/filter[start] labels/changes/update[org] profiles/records/values[values-2]
`;

test('marks, defaults and media types of odd contracts are kept by the mock, and accused by no run', async () => {
  const { headlines, tested } = await runAgainstMock(Object.values(ODDITIES), ASKED);
  expect(headlines).toEqual([]);
  expect(PASSED.filter((id) => !tested.includes(id))).toEqual([]);
  expect(tested.filter((id) => NOT_ASKED.includes(id))).toEqual([]);
});
