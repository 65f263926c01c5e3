import type { Contract } from '../../../contract/contract.js';
import type { MadeRecords } from '../records/made-records.js';
import type { Subject } from '../subject.js';

/** What the rows of a table are filled from. */
export interface TableSource {
  subject: Subject;
  made: MadeRecords;
  contract: Contract;
}
