import { escapePointer } from '../../contract/document/document.js';
import type { Mistake } from '../judge/keyword.js';

/** Words of scenario files in earlier releases, and their current names. CHANGELOG.md has the table. */
const RENAMED: Readonly<Record<string, string>> = {
  premise: 'requires',
  settle: 'retryFrom',
  noneRefused: 'noRefusedPets',
};
const RENAMED_VALUES: Readonly<Record<string, string>> = { '$limit.longest': '$limit.largestPage' };

/** The first word of an earlier release in a file, at a pointer into it. */
export function findRenamed(root: unknown): Mistake | undefined {
  const scenarios = (Object(root) as { scenarios?: unknown }).scenarios;
  if (!Array.isArray(scenarios)) return undefined;
  for (const [index, scenario] of scenarios.entries()) {
    const steps = (Object(scenario) as { steps?: unknown }).steps;
    if (!Array.isArray(steps)) continue;
    for (const [number, step] of steps.entries()) {
      const at = `/scenarios/${index}/steps/${number}`;
      const found = findInStep(Object(step) as Record<string, unknown>, at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function findInStep(step: Record<string, unknown>, at: string): Mistake | undefined {
  const { expect, assume } = step;
  return findKey(step, at) ?? findKey(expect, `${at}/expect`) ?? findKey(assume, `${at}/assume`) ?? findValue(step, at);
}

function findKey(value: unknown, at: string): Mistake | undefined {
  const old = Object.keys(Object(value) as object).find((key) => Object.hasOwn(RENAMED, key));
  return old === undefined ? undefined : describe(old, RENAMED[old], `${at}/${old}`);
}

function findValue(value: unknown, at: string): Mistake | undefined {
  if (typeof value === 'string') {
    const old = Object.keys(RENAMED_VALUES).find((each) => value.includes(each));
    return old === undefined ? undefined : describe(old, RENAMED_VALUES[old], at);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = findValue(item, `${at}/${escapePointer(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(old: string, now: string | undefined, at: string): Mistake {
  return { at, message: `\`${old}\` is called \`${now ?? ''}\` now.` };
}
