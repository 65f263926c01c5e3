// What confirming failures may cost a target, and what it came to so far.
import type { Contract } from '../../contract/contract.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { WireAnswer, WireRequest } from '../model/wire.js';
import type { Send } from '../http/send-politely.js';
import type { Asking } from './ask-role.js';

/** The outcome of a second look: a defect, nothing at all, or what would tell them apart. */
export type Confirmation = 'defect' | 'fine' | { needs: string };

/** What of a run is needed to ask again. */
export interface Confirming extends Asking {
  contract: Contract;
  ledger: RecordLedger;
  looks: LookBudget;
  strict: boolean;
  /** What finished scenarios hand on, by id. */
  outputs: ReadonlyMap<string, Record<string, unknown>>;
  /** Tells the user what is no failure: a sentence without a full stop. */
  note(text: string): void;
}

/** How many requests all second looks of a run may send. */
export const MOST_LOOK_REQUESTS = 250;

/** What a run may spend on second looks, and what they have come to. */
export interface LookBudget {
  send: (request: WireRequest) => Promise<WireAnswer>;
  /** What a look at this would come to, where nothing more is asked; `undefined` if it is worth asking. */
  foresee(question: string): Confirmation | undefined;
  /** What a look has come to: a defect does not change while it is looked at, and one that was cut short says nothing. */
  conclude(question: string, found: Confirmation): Confirmation;
}

/** So many looks at one kind of thing that all came to a defect tell what the others come to. */
const ENOUGH_ALIKE = 6;

/** Why something in doubt was left undecided. */
const USED_UP: Confirmation = {
  needs: `fewer failures to confirm: a run sends at most ${MOST_LOOK_REQUESTS} requests to confirm failures`,
};

export function createLookBudget(send: Send): LookBudget {
  let sent = 0;
  const alike = new Map<string, number>();
  const isUsedUp = (): boolean => sent >= MOST_LOOK_REQUESTS;
  return {
    async send(request) {
      if (isUsedUp())
        return {
          kind: 'unanswered',
          reason: 'interrupted',
          detail: 'the limit of confirming requests is reached',
          durationMs: 0,
        };
      sent += 1;
      return send(request);
    },
    foresee(question) {
      if ((alike.get(question) ?? 0) >= ENOUGH_ALIKE) return 'defect';
      return isUsedUp() ? USED_UP : undefined;
    },
    conclude(question, found) {
      if (isUsedUp()) return USED_UP;
      alike.set(question, found === 'defect' ? (alike.get(question) ?? 0) + 1 : Number.NEGATIVE_INFINITY);
      return found;
    },
  };
}
