import { expect, test } from 'vitest';
import { readDiffCommand } from '../../../src/cli/conformance/other-commands.js';
import { PrintAndExit } from '../../../src/cli/options/command-line.js';

test.each([
  [[], false],
  [['--report', 'pretty'], false],
  [['--report', 'json'], true],
  [['--report=pretty', '--report=json'], true],
])('diff a.yaml b.yaml %j is for programs: %j', (flags, asJson) => {
  expect(readDiffCommand(['a.yaml', 'b.yaml', ...flags])).toEqual({ before: 'a.yaml', now: 'b.yaml', asJson });
});

test.each([
  ['jsno', '--report takes pretty or json, not jsno; did you mean json?'],
  ['', '--report takes pretty or json, not an empty text.'],
])('diff --report %j is refused as any option is', (report, message) => {
  expect(() => readDiffCommand(['a.yaml', 'b.yaml', '--report', report])).toThrow(message);
});

test('its help has the format and what it is without one', () => {
  expect(() => readDiffCommand(['--help'])).toThrow(
    expect.objectContaining({ text: expect.stringMatching(/--report <format> +pretty or json \(default: pretty\)/) }),
  );
  expect(() => readDiffCommand(['--help'])).toThrow(PrintAndExit);
});
