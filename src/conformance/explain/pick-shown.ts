import { parseJson } from '../../contract/document/json.js';
import { isWithin } from '../../contract/paths.js';
import { checks } from '../judge/index.js';
import type { Group } from './group.js';
import { listFirm, type Occurrence } from './occurrence.js';
import { readAskedId } from './requests.js';
import type { Topic } from './sign.js';
import { isOfOwnPet, itemOf } from './whose-pet.js';

/** The first occurrence in a scenario that shows the problem by itself and is most about the rule. */
export function pickShown({ sign, occurrences }: Group): Occurrence {
  const weigh = (each: Occurrence): number => closeness(each) + (isAbout(each, sign.topic) ? 2 : 0) + standing(each);
  // If two answers differ, the wrong one is shown.
  return listFirm(occurrences).reduce((best, each) => (weigh(each) > weigh(best) ? each : best));
}

/**
 * Scenarios about keys, header fields and sequences meet every defect; they are about those that nothing else meets.
 */
function isAbout({ scenario: { id } }: Occurrence, topic: Topic): boolean {
  if (topic.startsWith('key-')) return id.startsWith('authentication/');
  return !/^(?:authentication|transport|sequences|create-invalid\/(?:leaves-nothing|still-accepts))\b/.test(id);
}

/**
 * How much a scenario is about the broken rule: its basis is that place of the contract (2), a place around it, the
 * answer that shows the problem or the one that was due (1), or another place (0).
 */
function closeness({ scenario: { basis }, exchange, finding: { at, contract, expected } }: Occurrence): number {
  if (contract === undefined || !basis.text.startsWith('#/')) return 0;
  const restsOn = basis.text.slice(1);
  if (contract.pointer === restsOn) return 2;
  const due = at === 'status' ? (expected.match(/\b\d{3}\b/g) ?? []) : [];
  const isOfAnswer = [`${exchange.response?.status ?? ''}`, ...due].some((status) =>
    restsOn.endsWith(`/${exchange.request.method.toLowerCase()}/responses/${status}`),
  );
  return isWithin(restsOn, contract.pointer) || isOfAnswer ? 1 : 0;
}

/**
 * Whether the scenario shows it when it runs again alone: a pet that another scenario created is another one by then,
 * and so may be what is wrong with it (0). What is compared shows most surely of a pet that the scenario creates (6).
 */
function standing(each: Occurrence): 0 | 4 | 6 {
  const { scenario, exchange, finding } = each;
  const isCompared = finding.check === 'right-pet' || COMPARING.has(finding.check);
  if (!isCompared || exchange.request.method === 'POST') return 4;
  const id = readAskedId(exchange) ?? readId(exchange, itemOf(finding.at));
  const created = scenario.steps
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ request }) => request.method === 'POST')
    .map((one) => readId(one, 'body'));
  if (id !== undefined && created.includes(id)) return 6;
  return isOfOwnPet(each) || finding.check === 'right-pet' ? 0 : 4;
}

/** Scenarios of other resources create whatever they look at, so that each of them stands alone. */
const COMPARING: ReadonlySet<string> = new Set(
  checks.filter(({ id, comparesAnswers }) => comparesAnswers === true && !/^records?$/.test(id)).map(({ id }) => id),
);

/** The id of a pet in an answer, with every digit; a body that was cut or is no JSON has none. */
function readId({ response }: Occurrence['exchange'], at: string): string | undefined {
  const [, index] = at.split('/');
  const value = response === undefined ? undefined : readBody(response);
  const pet = index === undefined ? value : Array.isArray(value) ? (value[Number(index)] as unknown) : undefined;
  if (typeof pet !== 'object' || pet === null || !('id' in pet)) return undefined;
  return String(pet.id);
}

type Answer = NonNullable<Occurrence['exchange']['response']>;

/** Long lists are looked at once, though each of their pets may show something. */
const bodies = new WeakMap<Answer, { value: unknown }>();

function readBody(answer: Answer): unknown {
  const known = bodies.get(answer);
  if (known !== undefined) return known.value;
  const read = parseJson(answer.body ?? '');
  const value = read.ok ? read.value : undefined;
  bodies.set(answer, { value });
  return value;
}
