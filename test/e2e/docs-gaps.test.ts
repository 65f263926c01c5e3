import { expect, test } from 'vitest';
import type { Gap } from '../../src/contract/gaps/gaps.js';
import { shippedGaps } from '../support/shipped.js';

const HEAD = `<!-- Written from spec/gaps.yaml by \`npx vitest run test/e2e/docs-gaps.test.ts -u\`. -->

# What the contract leaves open

The petstore's contract says a lot, and is silent on ${shippedGaps.length} points. Each stands below as a question, with the answers that a service may give without breaking anything.

**If you build a front end:** rely on none of these answers. Your code has to work with each of them, today and after the next release of the service. To try another one than the mock's own, give it a profile:

\`\`\`yaml
# try.profile.yaml
# yaml-language-server: $schema=./node_modules/petstore-mock/spec/profile.schema.json
gaps:
  list-order: oldest-first
  limit-above-maximum: clamped
\`\`\`

\`\`\`sh
npx petstore-mock --profile try.profile.yaml
\`\`\`

**If you own the service:** each question is one to decide and to write into the contract; until then your users find the answer out by themselves and come to depend on it. See what your service does today, keep the file beside its code, and let a pipeline say when it changes:

\`\`\`sh
npx -p petstore-mock petstore-conformance --target "$STAGING" --write-profile staging.profile.yaml
npx -p petstore-mock petstore-conformance --target "$STAGING" --profile staging.profile.yaml
npx -p petstore-mock petstore-conformance diff staging.profile.yaml production.profile.yaml
\`\`\`

In a profile, \`other\` is a behaviour that none of the named choices describes, and \`not-observed\` what the run could not conclude; the mock does as by default then.
`;

/** What a reader has to know of each kind of gap, beside its question. */
const ANSWERS: Readonly<Record<Gap['kind'], (gap: Gap) => string>> = {
  choice: ({ choices, mock }) =>
    Object.entries(choices)
      .map(([name, words]) => `- \`${name}\`: ${words}${name === mock ? ' (the mock)' : ''}`)
      .join('\n'),
  value: ({ value, mock }) => `- ${value === 'integer' ? 'a number' : 'a text'}\n- \`none\`: ${mock} (the mock)`,
  observation: ({ item, mock }) => `- a list of what was seen; an item is ${item}\n- the mock by itself: ${mock}`,
};

function describe(gap: Gap): string {
  const why = `Why the mock does so: ${gap.why}`;
  return `\n## ${gap.question}\n\n\`${gap.id}\`, section ${gap.section} of the interface.\n\n${ANSWERS[gap.kind](gap)}\n\n${why}\n`;
}

test('the page about what the contract leaves open is the one of spec/gaps.yaml', async () => {
  await expect(`${HEAD}${shippedGaps.map(describe).join('')}`).toMatchFileSnapshot('../../docs/gaps.md');
});
