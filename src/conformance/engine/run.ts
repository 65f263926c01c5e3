import { interrupted, type Send, type Ask, type SharedAnswers } from '../http/send-politely.js';
import type { Contract } from '../../contract/contract.js';
import type { CoverageRecorder } from '../../contract/coverage.js';
import type { KnownDeviations, EvidenceKeeper, Expectations } from './baseline.js';
import type { LookBudget, InVain, Patience } from '../confirm/confirm.js';
import type { RecordLedger } from '../ledger/record-ledger.js';
import type { PrepareOptions } from '../http/prepare-request.js';
import type { Redactor } from '../../redact/redactor.js';
import type { CredentialKeeper } from '../http/keep-credentials.js';
import { type Scenario, type Step, MOST_RESOURCES } from '../model/scenario.js';
import type { WireRequest } from '../model/exchange.js';
import type { SeenExchange } from './gaps.js';
import { isToBeRefused, sendsPost } from '../scenarios/check-scenario.js';
import { readSubjects } from '../resources/resource-under-test.js';
import { isOnThisMachine } from '../http/request-credentials.js';

export interface Run {
  contract: Contract;
  prepareOptions: PrepareOptions;
  host: string;
  send: Send;
  credentials: CredentialKeeper;
  isNever: (request: Pick<WireRequest, 'method' | 'target'>) => boolean;
  limit: ReturnType<typeof createRequestLimit>;
  ledger: RecordLedger;
  shared: SharedAnswers;
  planned: readonly Scenario[];
  secrets: readonly string[];
  redact: Redactor;
  strict: boolean;
  readOnly: boolean;
  keeps: boolean;
  may: readonly Consent[];
  patience: Patience;
  inVain: InVain;
  creates: CreateBudget;
  wrongCreates: CreateBudget;
  looks: LookBudget;
  evidence: EvidenceKeeper;
  expectations: Expectations;
  countCreated(operationId: string | undefined, isAllowed: boolean): void;
  coverage: CoverageRecorder;
  observe(exchange: SeenExchange): void;
  note(text: string, isFirst?: boolean): void;
  outputs: Map<string, Record<string, unknown>>;
  known: KnownDeviations;
  signal: AbortSignal; // Its reason is a sentence without a full stop.
}

export type ScenarioRun = Run & { ask: Ask };

export const CONSENTS = ['create', 'update', 'remove'] as const;
export type Consent = (typeof CONSENTS)[number];

export function defaultConsents(target: URL): readonly Consent[] {
  return isOnThisMachine(target) ? CONSENTS : ['create'];
}

export function consentFor(step: Pick<Step, 'operationId' | 'isAtNewKey'> & Partial<Step>, contract: Contract) {
  const { operationId, isAtNewKey, request, changes } = step;
  if (request !== undefined) return OF_METHODS[request.method.toUpperCase()];
  if (changes !== undefined) return changes;
  for (const { roles } of readSubjects(contract)) {
    const isChange = [roles.replace, roles.update].some((role) => role?.operation.id === operationId);
    // A PUT creates at a key that the step before it found to be free, and changes at any other.
    if (isChange && !isAtNewKey) return 'update';
    if (isChange || roles.create?.operation.id === operationId) return 'create';
    if (roles.remove?.operation.id === operationId) return 'remove';
  }
  return undefined;
}

const OF_METHODS: Record<string, Consent> = { POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'remove' };

type CreateBudget = ReturnType<typeof createBudget> & { wanted?: number };

export function createBudget(most: number, countCreated: () => number) {
  let underWay = 0;
  const waiting: (() => void)[] = [];
  return {
    async reserve(): Promise<boolean> {
      while (countCreated() < most && countCreated() + underWay >= most)
        await new Promise<void>((resolve) => waiting.push(resolve));
      if (countCreated() >= most) return false;
      underWay += 1;
      return true;
    },
    made: countCreated,
    release(): void {
      underWay -= 1;
      for (const wake of waiting.splice(0)) wake();
    },
  };
}

const CREATES_PER_RESOURCE = 60;
const CREATES_FOR_ALL = 80;

export function countAllowed(contract: Contract, least: number): number {
  const { length } = readSubjects(contract);
  return length === 0
    ? least
    : Math.max(least, length * CREATES_PER_RESOURCE + Math.min(length, MOST_RESOURCES) * CREATES_FOR_ALL);
}

/** Worked out once, so that whoever raises --max-creates to it is not told a larger number by the next reason. */
export function countWanted({ contract, creates, planned }: Pick<Run, 'contract' | 'creates' | 'planned'>): number {
  if (creates.wanted !== undefined) return creates.wanted;
  const isCreate = (step: Step): boolean => {
    const asked = contract.operations.find(({ id }) => id === step.operationId);
    const method = step.request?.method ?? asked?.method ?? 'GET';
    return sendsPost(step, contract.operations) && method.toUpperCase() === 'POST' && !isToBeRefused(step);
  };
  const creating = planned.flatMap(({ steps }) => steps).filter(isCreate);
  const all = creating.reduce((sum, { each, atOnce = 1 }) => sum + (each?.atMost ?? atOnce), 0);
  creates.wanted = Math.max(creates.made() + 1, all);
  return creates.wanted;
}

export function createRequestLimit(most = Number.POSITIVE_INFINITY, countSent: () => number) {
  let allowed = 0;
  const leftOut = new Set<Scenario>();
  const foresee = (scenarios: Iterable<Scenario>): number =>
    [...scenarios].reduce((sum, each) => sum + foreseeRequests(each), 0);
  return {
    leftOut,
    foreseeAll: (): number => countSent() + foresee(leftOut),
    fits: (scenario: Scenario, running: Iterable<Scenario>): boolean =>
      countSent() + foresee([...running, scenario]) <= most,
    isUsedUp: (): boolean => allowed > most,
    keep:
      (send: Send): Send =>
      async (request, onPutOff) => {
        allowed = Math.max(allowed, countSent()) + 1;
        if (allowed > most) return interrupted('the run has reached its limit of requests');
        return send(request, onPutOff);
      },
  };
}

export const USED_UP = 'the run has reached its limit of requests; raise --max-requests';

export function estimateRequests(scenarios: readonly Scenario[]): number {
  const count = scenarios.reduce((sum, scenario) => sum + foreseeRequests(scenario), 0);
  if (count < 100) return count;
  const unit = 10 ** (String(count).length - 2);
  return Math.ceil(count / unit) * unit;
}

export function foreseeRequests({ steps }: Pick<Scenario, 'steps'>): number {
  const counts = steps.map(({ control, each, pages, search, atOnce = 1 }) => {
    if (control) return 0;
    if (search !== undefined) return 2;
    if (pages !== undefined) return pages.parameter === undefined ? 1 : 2;
    return each === undefined ? atOnce : Math.min(3, each.atMost);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
