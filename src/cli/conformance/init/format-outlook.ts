import type { Contract } from '../../../contract/contract.js';
import { describeSchemes } from '../../../conformance/wire/request/describe-schemes.js';
import type { Outlook, TestedResource } from '../../../conformance/product/outlook.js';
import { isSecretPair, writePair } from '../describe-command.js';
import type { InitCommand } from './init-command-line.js';

/** So many are told line by line. */
const MOST = 20;

/** What a run tests, what it cannot test and why, and what would help. */
export function formatOutlook(outlook: Outlook, { output, spec, program, parameter = [] }: InitCommand): string {
  const { contract, tested, untested, unmade, scenarios, requests, gaps, notes } = outlook;
  const wrote = output === undefined ? '' : `wrote ${output.path}, for `;
  const secret = parameter
    .filter(isSecretPair)
    .map((line) => ` --parameter ${writePair(line, '=')}`)
    .join('');
  const about = `${wrote}${contract.title} ${contract.version} (${spec})`;
  return [
    about,
    '',
    `tested: ${tested.length} of ${count(outlook.resources, 'resource')}, ${count(scenarios, 'scenario')}, about ${requests} requests; ${gaps} gaps are observed`,
    ...cutLines(describeTested(tested)),
    ...(untested.length === 0
      ? []
      : ['', `not tested: ${untested.length}`, ...cutLines(untested.flatMap(describeUntested))]),
    ...(unmade.length === 0 ? [] : ['', 'responses:', ...cutLines(unmade.map((each) => `  ${each}`))]),
    ...(notes.length === 0 ? [] : ['', 'about the document:', ...notes.map((note) => `  ${note}`)]),
    '',
    ...describeNext(contract),
    `  ${program} ${configFlag(output?.path)}--target local${secret}`,
    ...(tested[0] === undefined
      ? []
      : [`  ${program} ${configFlag(output?.path)}--target local --only '${tested[0].name}/*'${secret}`]),
    '',
  ].join('\n');
}

/** Which credentials to give first, if any. */
function describeNext(contract: Contract): string[] {
  const schemes = describeSchemes(contract);
  if (schemes === '') return ['next:'];
  const named = contract.securitySchemes.some(({ kind }) => kind !== 'bearer') ? [schemes, ''] : [];
  return [...named, 'next: set PETSTORE_API_KEY, then'];
}

function configFlag(path: string | undefined): string {
  return path === undefined || path === 'petstore-conformance.yaml' ? '' : `--config ${path} `;
}

function describeTested(tested: readonly TestedResource[]): string[] {
  const width = Math.max(0, ...tested.map(({ name }) => name.length));
  return tested.map(
    ({ name, path, roles, fields, scenarios, requests }) =>
      `  ${name.padEnd(width)}  ${path}  ${roles.join(', ')}; ${describeFields(fields)}; ${count(scenarios, 'scenario')}, about ${requests} requests`,
  );
}

const MOST_FIELDS = 8;

function describeFields(fields: readonly string[]): string {
  if (fields.length === 0) return 'no fields';
  const rest = fields.length - MOST_FIELDS;
  return `fields ${fields.slice(0, MOST_FIELDS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describeUntested({ path, why, help }: Outlook['untested'][number]): string[] {
  return [`  ${path}: ${why}; ${help} would help`];
}

function cutLines(lines: readonly string[]): string[] {
  const rest = lines.length - MOST;
  return rest > 0 ? [...lines.slice(0, MOST), `  and ${rest} more`] : [...lines];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
