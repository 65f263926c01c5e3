import { loadYaml } from '../../../contract/document/load-when-needed.js';
import { ANSWER_FIELD } from '../../../contract/gaps/profile.js';
import { toProfile } from '../../run/gaps/observed-profile.js';
import type { RunResult } from '../../model/result.js';

const HEAD = `# yaml-language-server: $schema=./node_modules/petstore-mock/spec/profile.schema.json
#
# What this service does where the contract is silent, as petstore-conformance saw
# it. petstore-mock --profile imitates it; petstore-conformance --profile reports
# what has changed since.
`;

/** The file of what a run observed: sorted and, except for its date, identical as long as the service does not change. */
export function writeProfile(result: RunResult): string {
  const { entries: _entries, ...head } = toProfile(result);
  const gaps = result.gaps
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, kind, answer, evidence }) => [id, { [ANSWER_FIELD[kind]]: answer, evidence }]);
  return `${HEAD}${loadYaml().stringify({ ...head, gaps: Object.fromEntries(gaps) as object }, { lineWidth: 0 })}`;
}
