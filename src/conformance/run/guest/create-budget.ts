import type { Contract } from '../../../contract/contract.js';
import { readSubjects } from '../../subjects/subject.js';

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
