import { expect, test } from 'vitest';
import { loadContract } from '../../../src/contract/contract.js';
import { inferResources } from '../../../src/contract/resources/infer-resources.js';
import { packageFile } from '../../../src/package-files.js';
import { summarize } from './support/summarize.js';

// Documents as they are often written, rebuilt small, and all that is inferred of each.
test.each(['shelter', 'kennel', 'gallery', 'ferry', 'chores'])('what is inferred of the document %s', (name) => {
  const contract = loadContract(packageFile(`test/contract/resources/support/documents/${name}.yaml`));
  expect(contract.listNotes()).toEqual([]);
  expect(summarize(inferResources(contract))).toMatchSnapshot();
});
