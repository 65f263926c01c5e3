// What a run may do to a target, and how many records it may create there.
import type { Contract } from '../../contract/contract.js';
import { isToBeRefused, sendsPost } from '../scenarios/check-step.js';
import type { Scenario, Step } from '../model/scenario.js';
import { readSubjects } from '../subjects/subject.js';
import { isOnThisMachine } from '../wire/http/read-given.js';

/** What a run may do with a target. */
export const CONSENTS = ['create', 'update', 'remove'] as const;
export type Consent = (typeof CONSENTS)[number];

/** What a run may do to a target if the user does not say: everything on this machine, only creates elsewhere. */
export function defaultConsents(target: URL): readonly Consent[] {
  return isOnThisMachine(target) ? CONSENTS : ['create'];
}

/** The consent that a step needs; `undefined` if it changes nothing. */
export function consentFor(
  {
    operationId,
    isAtNewKey,
    request,
    changes,
  }: Pick<Step, 'operationId' | 'isAtNewKey'> & Partial<Pick<Step, 'request' | 'changes'>>,
  contract: Contract,
): Consent | undefined {
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

/** What a service might do at a method that the contract does not have there. */
const OF_METHODS: Readonly<Record<string, Consent>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'remove',
};

/**
 * Keeps concurrent scenarios from creating more records in total than the run may. What the target should refuse has a budget
 * of its own: a service that takes it leaves what is still to come its share.
 */
export interface CreateBudget {
  /** Waits for pending creates if they may use up the rest; `false` if nothing is left. */
  reserve(): Promise<boolean>;
  /** How many were created. */
  made(): number;
  /** How many more may be created. */
  left(): number;
  /** How many the whole run would create, once that is asked for. */
  wanted?: number;
  /** Ends a reservation when the record has been counted or refused. */
  release(): void;
}

export function createBudget(most: number, countCreated: () => number): CreateBudget {
  let underWay = 0;
  let waiting: (() => void)[] = [];
  return {
    async reserve() {
      while (countCreated() < most && countCreated() + underWay >= most) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      if (countCreated() >= most) return false;
      underWay += 1;
      return true;
    },
    made: countCreated,
    left: () => Math.max(0, most - countCreated() - underWay),
    release() {
      underWay -= 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** Few resources have scenarios that need more. */
const CREATES_PER_RESOURCE = 60;

/** What is tried on one resource for all: how a service reads and writes. */
const CREATES_FOR_ALL = 60;

/** How many records a run may create if the user does not say. */
export function countAllowed(contract: Contract, least: number): number {
  const resources = readSubjects(contract).length;
  return Math.max(least, resources === 0 ? 0 : resources * CREATES_PER_RESOURCE + CREATES_FOR_ALL);
}

/** What of a run tells how many records it would create. */
export interface Creating {
  contract: Contract;
  creates: CreateBudget;
  /** Every scenario of the run. */
  planned: readonly Scenario[];
}

/**
 * The value of `--max-creates` that suffices for the whole run: what all its scenarios create. It is worked out once, so that whoever follows one reason is not told a larger number by the next.
 */
export function countWanted({ contract, creates, planned }: Creating): number {
  creates.wanted ??= Math.max(creates.made() + 1, countPlanned(planned, contract.operations));
  return creates.wanted;
}

function countPlanned(planned: readonly Scenario[], operations: Contract['operations']): number {
  const creating = planned
    .flatMap(({ steps }) => steps)
    .filter((step) => isCreate(step, operations) && !isToBeRefused(step));
  return creating.reduce((sum, { each, atOnce = 1 }) => sum + (each?.atMost ?? atOnce), 0);
}

function isCreate(step: Step, operations: Contract['operations']): boolean {
  const method = step.request?.method ?? operations.find(({ id }) => id === step.operationId)?.method ?? 'GET';
  return sendsPost(step, operations) && method.toUpperCase() === 'POST';
}
