import type { Contract } from '../../contract/contract.js';
import type { CoverageRecorder } from '../../contract/coverage.js';
import type { KnownDeviations } from './known/apply-baseline.js';
import type { EvidenceKeeper } from './evidence.js';
import type { Consent, CreateBudget } from './creates.js';
import type { Expectations } from './expected-here.js';
import type { LookBudget } from '../confirm/ask.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { RequestLimit } from './order/request-limit.js';
import type { InVain, Patience } from '../confirm/wait.js';
import type { PrepareOptions } from '../wire/request/prepare-request.js';
import type { Redactor } from '../../redact/redactor.js';
import type { CredentialKeeper } from '../wire/credentials/keep-credentials.js';
import type { Send } from '../wire/http/send-politely.js';
import type { Ask, SharedAnswers } from '../wire/request/share-answers.js';
import type { Scenario } from '../model/scenario.js';
import type { WireRequest } from '../model/exchange.js';
import type { SeenExchange } from './gaps/observers/seen-exchange.js';

/** What a run shares with all its scenarios. */
export interface Run {
  contract: Contract;
  prepareOptions: PrepareOptions;
  /** The target's host and port. */
  host: string;
  send: Send;
  /** Keeps its credentials good. */
  credentials: CredentialKeeper;
  /** Whether a request is never to be sent. */
  isNever: (request: Pick<WireRequest, 'method' | 'target'>) => boolean;
  /** What every way to send passes: no request that is never to be sent, and credentials that are good. */
  follow: (send: Send) => Send;
  /** How many requests may be sent. */
  limit: RequestLimit;
  /** What is known of each record: created, changed, deleted, shown, and when. */
  ledger: RecordLedger;
  /** The answers that serve more than one scenario. */
  shared: SharedAnswers;
  /** Every scenario of the run. */
  planned: readonly Scenario[];
  /** Texts that no answer may repeat. */
  secrets: readonly string[];
  redact: Redactor;
  strict: boolean;
  /** Whether no request that could change the target is sent. */
  readOnly: boolean;
  /** Whether the records that it creates stay. */
  keeps: boolean;
  /** What may be done to the target. */
  may: readonly Consent[];
  /** How long to wait until other clients see a change. */
  patience: Patience;
  /** What it does not wait for any more. */
  inVain: InVain;
  creates: CreateBudget;
  /** The same for what the target should refuse. */
  wrongCreates: CreateBudget;
  /** What second looks may cost. */
  looks: LookBudget;
  /** What is kept of answers and findings. */
  evidence: EvidenceKeeper;
  /** What is expected beside what the contract says. */
  expectations: Expectations;
  /** Counts a record that the target created, and whether it should have. */
  countCreated(operationId: string | undefined, isAllowed: boolean): void;
  /** Which parts of the contract were exercised so far. */
  coverage: CoverageRecorder;
  /** Gathers what answers show where the contract is silent. */
  observe(exchange: SeenExchange): void;
  /** Tells the user what is no finding: a sentence without a full stop; `isFirst` for what the shortest report shows. */
  note(text: string, isFirst?: boolean): void;
  /** What finished scenarios hand on, by id. */
  outputs: Map<string, Record<string, unknown>>;
  /** The known deviations. */
  known: KnownDeviations;
  /** Ends the run; its reason is a sentence without a full stop. */
  signal: AbortSignal;
}

/** What a scenario has of its own beside it. */
export interface ScenarioRun extends Run {
  ask: Ask;
}

/** Why a run ended early. */
export function describeStop({ signal }: Pick<Run, 'signal'>): string {
  return String(signal.reason);
}
