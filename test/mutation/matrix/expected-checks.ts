import { readDocument } from '../../../src/contract/document/document.js';
import { packageFile } from '../../../src/package-files.js';

const file = packageFile('test/mutation/matrix/expected-checks.yaml');

/** The checks that should find each mutant of the opponent, by its id. */
export const expectedChecks = readDocument(file, { code: 'unreadable-file' }).root as Readonly<
  Record<string, readonly string[]>
>;
