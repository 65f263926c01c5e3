import { isWithin } from '../../contract/paths.js';
import type { Group } from './group.js';
import type { Occurrence } from './occurrence.js';
import type { Topic } from './sign.js';

/** The first occurrence in a scenario that is most about the rule. */
export function pickShown({ sign, occurrences }: Group): Occurrence {
  const weigh = (each: Occurrence): number => closeness(each) + (isAbout(each, sign.topic) ? 2 : 0);
  return occurrences.reduce((best, each) => (weigh(each) > weigh(best) ? each : best));
}

/** Requests without the key meet every defect; they are about those of keys. */
function isAbout({ exchange: { request } }: Occurrence, topic: Topic): boolean {
  return topic.startsWith('key-') !== (request.auth === 'valid');
}

/**
 * How much a scenario is about the broken rule: its basis is that place of the contract (2), a place around it, the
 * answer that shows the problem or the one that was due (1), or another place (0).
 */
function closeness({ scenario: { basis }, exchange, finding: { contract, wanted = [] } }: Occurrence): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  const isOfAnswer = [`${exchange.response?.status ?? ''}`, ...wanted].some((status) =>
    restsOn.endsWith(`/${exchange.request.method.toLowerCase()}/responses/${status}`),
  );
  return isWithin(restsOn, contract.pointer) || isOfAnswer ? 1 : 0;
}
