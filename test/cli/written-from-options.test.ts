import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createConfigSchema } from '../../src/cli/conformance/config.js';
import { PETSTORE_CONFORMANCE } from '../../src/cli/conformance/options.js';
import { PETSTORE_MOCK } from '../../src/cli/mock/options.js';
import {
  listFrom,
  variableOf,
  type OptionDeclaration,
  type Origin,
  type Program,
  describeOptions,
} from '../../src/cli/options/define-options.js';
import { OF_A_SERVER } from '../../src/options/petstore-options.js';
import { packageFile } from '../../src/package-files.js';
import { formatTable } from '../support/markdown-table.js';

// What follows from the declarations of the options. `npx vitest run test/cli/written-from-options.test.ts -u` writes it anew.

test('the schema of the config file of petstore-mock has its options', async () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://unpkg.com/petstore-mock/spec/petstore-mock.config.schema.json',
    title: 'Options of petstore-mock',
    description: 'The file that petstore-mock --config reads. Flags and environment variables take precedence.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { description: 'Where this schema is, for editors.', type: 'string' },
      ...describeOptions(PETSTORE_MOCK.options),
    },
  };
  await expect(print(schema)).toMatchFileSnapshot('../../spec/petstore-mock.config.schema.json');
});

test('that of petstore-conformance has its options, and targets', async () =>
  await expect(print(createConfigSchema())).toMatchFileSnapshot('../../spec/petstore-conformance.config.schema.json'));

function print(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const REGION = /(<!-- options of (petstore-\w+): .*-->\n)[\s\S]*?(<!-- \/options -->)/g;

test('docs/options.md has every option of both programs', async () => {
  const programs = [PETSTORE_MOCK, PETSTORE_CONFORMANCE];
  const page = readFileSync(packageFile('docs/options.md'), 'utf8');
  expect([...page.matchAll(REGION)].map(([, , name]) => name)).toEqual(programs.map(({ name }) => name));
  const expected = page.replace(REGION, (_, start: string, name: string, end: string) => {
    const program = programs.find((each) => each.name === name);
    return program === undefined ? '' : `${start}\n${tabulate(program)}\n\n${end}`;
  });
  await expect(expected).toMatchFileSnapshot('../../docs/options.md');
});

/** A table below each heading. */
function tabulate(program: Program): string {
  const groups: { heading: string; options: [string, OptionDeclaration][] }[] = [];
  for (const [name, option] of Object.entries(program.options)) {
    if (option.heading !== undefined) groups.push({ heading: option.heading, options: [] });
    groups.at(-1)?.options.push([name, option]);
  }
  return groups.map(({ heading, options }) => `### ${heading}\n\n${tabulateGroup(program, options)}`).join('\n\n');
}

function tabulateGroup(program: Program, options: readonly [string, OptionDeclaration][]): string {
  const hasLibrary = program === PETSTORE_MOCK;
  const isShown = (_: string, column: number): boolean => hasLibrary || column !== 3;
  const head = ['flag', 'variable', 'in the config file', 'in the library', 'what'].filter(isShown);
  const rows = options.map(([name, option]) => {
    const { help, value = '', isNegated, default: byDefault, otherwise = byDefault } = option;
    const mayComeFrom = (origin: Origin): boolean => listFrom({ [name]: option }, origin).length > 0;
    const flag = `--${isNegated === true ? 'no-' : ''}${name} ${value}`.trim();
    return [
      mayComeFrom('flag') ? `\`${flag}\`` : '',
      mayComeFrom('environment')
        ? [variableOf(program, name), option.otherVariable ?? []]
            .flat()
            .map((each) => `\`${each}\``)
            .join(', else ')
        : '',
      mayComeFrom('file') ? `\`${name}\`` : '',
      findInLibrary(name),
      `${help}${otherwise === undefined || isNegated === true ? '' : `; default: ${otherwise}`}`,
    ].filter(isShown);
  });
  return formatTable(head, rows);
}

test('the first option of each program has a heading, so that every option is below one', () => {
  const firsts = [PETSTORE_MOCK, PETSTORE_CONFORMANCE].map(({ options }) => Object.values(options)[0]?.heading);
  expect(firsts).toEqual(['Where it listens', 'The target']);
});

function findInLibrary(name: string): string {
  const camelCase = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const found = [camelCase, `${camelCase}s`].find((each) => Object.hasOwn(OF_A_SERVER, each));
  return found === undefined ? '' : `\`${found}\``;
}
