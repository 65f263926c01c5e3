import { expect, test } from 'vitest';
import { addExcerpts } from '../../../src/conformance/explain/excerpt.js';
import { findProblems } from '../../../src/conformance/explain/find-problems.js';
import { makeDeviating, makeFinding } from '../../report/results.js';

function excerptAt(file: string, line: number): string | undefined {
  const finding = makeFinding({ contract: { file, line, pointer: '/x' } });
  const [problem] = addExcerpts(findProblems({ scenarios: [makeDeviating('a/a', [finding])] }));
  return problem?.contract?.excerpt;
}

test('a problem has the first lines of its rule, without what stands beside it', () => {
  expect(excerptAt('spec/petstore.openapi.yaml', 45)).toMatch(/^- name: status\n {2}in: query\n {2}description: /);
  expect(excerptAt('spec/petstore.openapi.yaml', 271)).toBe('required: [code, message, status]');
});

test('a contract that cannot be read has no excerpt', () => {
  expect(excerptAt('nowhere.yaml', 1)).toBeUndefined();
});
