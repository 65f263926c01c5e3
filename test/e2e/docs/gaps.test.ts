import { expect, test } from 'vitest';
import type { Gap } from '../../../src/contract/gaps/gaps.js';
import { listGeneralGaps, shippedContract, shippedGaps } from '../../support/shipped.js';

const HEAD = `<!-- Written from spec/gaps.yaml by \`npx vitest run test/e2e/docs/gaps.test.ts -u\`. -->

# What the contract leaves open

The petstore's contract leaves ${shippedGaps.length} points open. Each is a question below, with the choices that a service may make without breaking the contract.

**If you build a front end:** do not rely on any of these choices. Your code must work with each of them, today and after the next release of the service. A profile makes the mock choose differently:

\`\`\`yaml
# yaml-language-server: $schema=./node_modules/petstore-mock/spec/profile.schema.json
# try.profile.yaml
gaps:
  list-order: oldest-first
  limit-above-maximum: clamped
\`\`\`

\`\`\`sh
npx petstore-mock --profile try.profile.yaml
\`\`\`

**If you own the service:** decide each question, and write the decision into the contract. Until you do, your users find out what the service does, and come to depend on it. [Profiles](conformance.md#profiles) record what your service does today and report when it changes.

In a profile, \`other\` is a behaviour without a name, and \`not-observed\` means that the run could not tell. In both cases the mock keeps its default.

${shippedGaps.map(({ id, question }) => `- [${question}](#${anchorOf(question)}) \`${id}\``).join('\n')}
`;

/** The anchor that a heading gets where Markdown is shown as on GitHub. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** What a reader must know about each kind of gap, besides its question. */
const ANSWERS: Readonly<Record<Gap['kind'], (gap: Gap) => string>> = {
  choice: ({ choices, mock }) =>
    Object.entries(choices)
      .map(([name, words]) => `- \`${name}\`: ${words}${name === mock ? ' (the mock)' : ''}`)
      .join('\n'),
  value: ({ value, mock }) => `- ${value === 'integer' ? 'a number' : 'a text'}\n- \`none\`: ${mock} (the mock)`,
  observation: ({ item, mock }) => `- a list of what was seen; an item is ${item}\n- the mock by itself: ${mock}`,
};

/** The place of the contract, with a link to its file. */
function cite({ contract }: Gap): string {
  const { line } = shippedContract.document.placeOf(contract.slice(1));
  return `\`${contract}\` ([petstore.openapi.yaml](../spec/petstore.openapi.yaml), line ${line})`;
}

function describe(gap: Gap): string {
  const why = `Why the mock does so: ${gap.why}`;
  return `\n## ${gap.question}\n\n\`${gap.id}\`, left open at ${cite(gap)}.\n\n${ANSWERS[gap.kind](gap)}\n\n${why}\n`;
}

const GENERAL = `
## Gaps of every resource

With your own document (\`--spec\`), these questions apply to each of its resources, under its name: \`orders.list-order\`, \`users-orders.remove-gone\`. \`petstore-conformance gaps --spec openapi.yaml\` lists them; what your document states is not among them. In a profile, \`list-order\` holds for every resource, and \`orders.list-order\` for orders only. The choices about \`name\` and \`categoryId\` hold for pets only.
`;

const describeGeneral = ({ id, gap }: { id: string; gap: Gap }): string =>
  `\n### ${gap.question}\n\n\`<resource>.${id}\`\n\n${ANSWERS[gap.kind](gap)}\n`;

test('the page about what the contract leaves open is the one of spec/gaps.yaml', async () => {
  await expect(
    `${HEAD}${shippedGaps.map(describe).join('')}${GENERAL}${listGeneralGaps().map(describeGeneral).join('')}`,
  ).toMatchFileSnapshot('../../../docs/gaps.md');
});
