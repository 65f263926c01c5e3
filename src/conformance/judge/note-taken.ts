import type { SentRequest } from '../model/sent-request.js';
import { rememberTaken } from './invented.js';
import { rememberRenaming } from './renamed.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { Step } from '../model/scenario.js';

/** Makes the run remember what the target has taken: values, keys and names. */
export function noteTaken({ invented, guessed }: Step, sent: SentRequest, ledger: RecordLedger): void {
  if (invented !== undefined) rememberTaken(ledger, invented, sent);
  rememberRenaming(ledger, sent);
  const isByKey = sent.operation?.path.endsWith('}') === true;
  for (const { of } of isByKey ? guessed : []) ledger.learned.found.add(of);
}
