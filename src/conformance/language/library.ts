import type { Contract } from '../../contract/contract.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import type { ContractValues } from '../http/template.js';
import type { Scenario } from '../model/scenario.js';

/** What scenarios may refer to. */
export interface Library {
  scenarios: readonly Scenario[];
  contract: Contract;
  values: ContractValues;
  gaps: readonly Gap[];
}
