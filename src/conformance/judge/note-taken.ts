import type { SentRequest } from '../model/sent-request.js';
import { rememberTaken } from './invented.js';
import { rememberRenaming } from './renamed.js';
import type { TargetMemory } from './target-memory.js';
import type { Step } from '../model/scenario.js';

/** Makes the run remember what the target has taken: values, keys and names. */
export function noteTaken({ invented, guessed }: Step, sent: SentRequest, memory: TargetMemory): void {
  if (invented !== undefined) rememberTaken(memory, invented, sent);
  rememberRenaming(memory, sent);
  const isByKey = sent.operation?.path.endsWith('}') === true;
  for (const { of } of isByKey ? guessed : []) memory.found.add(of);
}
