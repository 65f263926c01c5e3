import type { PreparedRequest } from '../wire/request/prepare-request.js';
import type { Run } from './run.js';
import type { Step } from '../model/scenario.js';

/** What the contract says about a request is not what the step requires. */
export class UnmetRequirement extends Error {
  override readonly name = 'UnmetRequirement';
  /** Whether an earlier answer gave what the contract does not allow. */
  readonly isOfAnswer: boolean;
  constructor(message: string, isOfAnswer = false) {
    super(message);
    this.isOfAnswer = isOfAnswer;
  }
}

/** Throws {@link UnmetRequirement}. */
export function checkRequirement({ requires, parameters }: Step, { sent }: PreparedRequest, run: Run): void {
  if (run.ledger.changesForeign(sent))
    throw new UnmetRequirement(
      'the response to a create has a record that the run did not create; the run does not change it',
      true,
    );
  const [violation] = sent.violations;
  if (requires === 'valid' && violation !== undefined) {
    const [, parameter = ''] = violation.at.split('/');
    const isOfAnswer = /^\$(?:steps|scenarios)\./.test(String(parameters[parameter]));
    throw new UnmetRequirement(`the contract does not allow what it sends: ${violation.message}`, isOfAnswer);
  }
  if (requires === 'invalid' && violation === undefined)
    throw new UnmetRequirement('the contract allows what it sends');
}
