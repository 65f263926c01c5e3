import { readGapsOf } from '../../conformance/resources/resource-under-test.js';
import { cutText } from '../../contract/document/json.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { showAnswer } from '../../report/summarize.js';
import { FROM_TARGET, only, quoteTarget, takeFirst, textOf, type McpTool, type ToolAnswer } from '../tool.js';
import { readFor } from './contract.js';
import { worldOf } from './mock.js';

const PAGE = 15;
const TEXT = 200;

/** What a contract leaves open, and what a mock or a target does there. */
export const gapsTool: McpTool = {
  name: 'gaps',
  title: 'What the contract leaves open',
  description:
    'Each gap of the contract with its choices and that of the mock; with run, how the target behaves there, and the response that shows it. mock with do=profile changes choices.',
  properties: {
    find: { type: 'string', description: 'a word in id or question' },
    run: { type: 'string' },
    mock: { type: 'string' },
    spec: { type: 'string' },
    offset: { type: 'integer', minimum: 0 },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async (given, call) => {
    const word = (textOf(given, 'find') ?? '').toLowerCase();
    const offset = Number(given['offset'] ?? 0);
    const isWanted = ({ id, question }: Pick<Gap, 'id' | 'question'>): boolean =>
      `${id} ${question}`.toLowerCase().includes(word);
    if (given['run'] !== undefined) {
      const { name, result } = call.desk.runs.find(textOf(given, 'run'));
      const of = `${name}; what stands behind | is ${FROM_TARGET}`;
      return list(result.gaps.filter(isWanted), {
        offset,
        of,
        tell: ({ id, question, answer, evidence }) => [
          `${id}  ${cutText(question, TEXT)}`,
          ...quoteTarget(`${showAnswer(answer)} (${evidence})`, 2 * TEXT),
        ],
        facts: ({ id, answer, evidence }) => ({
          id,
          fromTarget: { answer: cutText(showAnswer(answer), TEXT), evidence: cutText(evidence, TEXT) },
        }),
      });
    }
    const { contract, mock } = readFor(given, call);
    const choices = mock === undefined ? {} : (await worldOf(mock, given).profile.get()).choices;
    const gaps = readGapsOf(contract).asked.filter(isWanted);
    return list(gaps, {
      offset,
      of: mock?.name ?? contract.title,
      tell: (gap) => tellChoices(gap, choices),
      facts: ({ id, kind, choices: named, mock: usual }) =>
        only({ id, kind, choices: Object.keys(named), choice: choices[id] ?? usual }),
    });
  },
};

interface Listing<T> {
  offset: number;
  of: string;
  tell: (gap: T) => string[];
  facts: (gap: T) => object;
}

function list<T>(gaps: readonly T[], { offset, of, tell, facts }: Listing<T>): ToolAnswer {
  const { shown, left } = takeFirst(gaps, PAGE, offset);
  const next = left === 0 ? undefined : offset + shown.length;
  return {
    text: [
      `${gaps.length} gaps of ${of}`,
      ...shown.flatMap(tell),
      ...(next === undefined ? [] : [`${left} more: offset=${next}`]),
    ].join('\n'),
    data: { of, found: gaps.length, ...only({ gaps: shown.map(facts), left, next }) },
  };
}

function tellChoices({ id, question, choices, kind, mock }: Gap, chosen: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(choices).map((name) => (name === (chosen[id] ?? mock) ? `[${name}]` : name));
  return [
    `${id}  ${cutText(question, TEXT)}`,
    `    ${kind === 'choice' ? names.join(', ') : `${kind}: ${cutText(mock, TEXT)}`}`,
  ];
}
