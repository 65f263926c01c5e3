import { join } from 'node:path';
import { loadContract, type Contract } from '../../../src/contract/contract.js';
import { describeNotes } from '../../../src/contract/document/document.js';
import { makeFolder } from '../../support/folder.js';

/** Loads the first of the files, named as it is named here. */
export function loadFiles(files: Readonly<Record<string, string>>): Contract {
  const [first = ''] = Object.keys(files);
  return loadContract(join(makeFolder(files), first), { shownAs: first });
}

/** What is noted of files, each with its place. */
export function notesOf(files: Readonly<Record<string, string>>): string[] {
  const contract = loadFiles(files);
  contract.validate.compileAll();
  return describeNotes(contract.listNotes(), Infinity);
}

/** A document with one operation that takes and gives one schema, written as YAML in one line. */
export function documentOf(schema: string, options: { version?: string; components?: string } = {}): string {
  return [
    `openapi: ${options.version ?? '3.1.0'}`,
    'info: { title: Test, version: 1.0.0 }',
    'paths:',
    '  /things:',
    '    post:',
    '      operationId: makeThing',
    '      requestBody:',
    '        content:',
    '          application/json:',
    `            schema: ${schema}`,
    '      responses:',
    "        '200':",
    '          description: A thing.',
    '          content:',
    '            application/json:',
    `              schema: ${schema}`,
    `components: ${options.components ?? '{}'}`,
    '',
  ].join('\n');
}

/** What a value that is sent breaks: places and rules. */
export function brokenBySending(contract: Contract, value: unknown): string[] {
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('there is no operation');
  return contract.validate.requestBody(operation, 'application/json', value).map(({ at, rule }) => `${at} ${rule}`);
}

/** What a value that is answered breaks: places and rules. */
export function brokenByAnswering(contract: Contract, value: unknown, headers: Record<string, string> = {}): string[] {
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('there is no operation');
  const body = { value, text: JSON.stringify(value) };
  const response = { status: 200, headers: { 'Content-Type': 'application/json', ...headers }, body };
  return contract.validate.response(operation, response).map(({ at, rule }) => `${at} ${rule}`);
}
