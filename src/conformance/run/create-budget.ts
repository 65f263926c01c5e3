/** Keeps several scenarios at a time from creating more pets, together, than a run may. */
export interface CreateBudget {
  /** Waits for those under way to be decided when they may use up the rest; `false` when nothing is left. */
  reserve(): Promise<boolean>;
  /** How many more may be created. */
  left(): number;
  /** Ends a reservation, once the pet is counted or was refused. */
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
    left: () => Math.max(0, most - countCreated() - underWay),
    release() {
      underWay -= 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}
