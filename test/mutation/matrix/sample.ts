interface Grouped {
  readonly id: string;
  readonly group: string;
}

/** The first of each group and every n-th after it: the same at every run, from every file. */
export function pickSpread<Entry extends Grouped>(entries: readonly Entry[], n: number): Entry[] {
  const seen = new Map<string, number>();
  return entries.filter(({ group }) => {
    const index = seen.get(group) ?? 0;
    seen.set(group, index + 1);
    return index % n === 0;
  });
}

/** For each check a mutant that it should find: one that no other check should find, if there is one; else one that names it first. */
export function pickForEachCheck<Entry extends Grouped & { readonly foundBy: readonly [string, ...string[]] }>(
  entries: readonly Entry[],
): Entry[] {
  const checks = new Set(entries.flatMap(({ foundBy }) => foundBy));
  return [...checks].flatMap((check) => {
    const candidates = entries.filter(({ foundBy }) => foundBy.includes(check));
    const [chosen] = candidates.toSorted((one, other) => rank(one.foundBy, check) - rank(other.foundBy, check));
    return chosen === undefined ? [] : [{ ...chosen, foundBy: [check] as const }];
  });
}

function rank(foundBy: readonly string[], check: string): number {
  return foundBy.length === 1 ? -1 : foundBy.indexOf(check);
}
