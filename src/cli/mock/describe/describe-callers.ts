import type { SetUp } from '../../../server/set-up.js';
import { spellOut } from '../../../redact/spell-out.js';

const MAX_TOLD = 10;

/** Who called operations that will be removed, for the end of a session; `''` if nobody did. */
export function describeCallers(ready: SetUp): string {
  const lines = ready.contract.operations.flatMap(({ id, sunset }) => {
    const callers = countCallers(ready, id);
    if (callers.length === 0) return [];
    const total = callers.reduce((sum, [, count]) => sum + count, 0);
    const removal = sunset === undefined ? 'deprecated' : `removed on ${sunset}`;
    const width = String(callers[0]?.[1]).length;
    const told = callers.slice(0, MAX_TOLD).map(([who, count]) => `  ${String(count).padStart(width)}  ${who}`);
    const rest = callers.length > MAX_TOLD ? [`  and ${callers.length - MAX_TOLD} other callers`] : [];
    return [`${id}, ${removal}, was called ${total} time${total === 1 ? '' : 's'}, by:`, ...told, ...rest];
  });
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** The callers of all worlds, the most frequent first. */
function countCallers({ worlds }: SetUp, operation: string): [string, number][] {
  const counts = new Map<string, number>();
  for (const { callers, redact } of worlds.all()) {
    for (const { operationId, userAgent = 'no User-Agent', origin, referer = origin, count } of callers.list()) {
      if (operationId !== operation) continue;
      const who = spellOut(redact(referer === undefined ? userAgent : `${userAgent} at ${referer}`));
      counts.set(who, (counts.get(who) ?? 0) + count);
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
