import { readFileSync } from 'node:fs';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { packageFile } from '../../../../src/package-files.js';
import { isItem } from './value-rules.js';

export type Item = Record<string, unknown>;
export type Taken = 'MemberInput' | 'MemberChange' | 'LoanInput' | 'LoanChange' | 'ToolInput';

export const TOOLSHED_CONTRACT = packageFile('test/conformance/resources/support/toolshed.openapi.yaml');

type Schema = Item & { properties?: Record<string, Schema>; items?: Schema };

/** Why a body is no such schema of the contract; rules that a change names (`off:LoanInput.days.maximum`) are not looked at. */
export function createRules(changes: readonly string[]): (schema: Taken, body: unknown) => string | undefined {
  const contract = parse(readFileSync(TOOLSHED_CONTRACT, 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  };
  for (const change of changes.filter((each) => each.startsWith('off:'))) {
    const path = change.slice('off:'.length).split('.');
    const rule = path.pop() ?? '';
    const [name = '', ...fields] = path;
    let schema = contract.components.schemas[name];
    for (const field of fields) schema = field === 'items' ? schema?.items : schema?.properties?.[field];
    if (schema === undefined || !(rule in schema)) throw new Error(`the contract has no ${change}`);
    delete schema[rule];
  }
  const ajv = formats.default(new Ajv2020({ strict: false, logger: false }));
  ajv.addSchema(contract, 'shed');
  return (schema, body) => {
    return ajv.validate(`shed#/components/schemas/${schema}`, body) ? undefined : ajv.errorsText(ajv.errors);
  };
}

/** A merge patch (RFC 7396). */
export function merge(item: Item, change: Item): Item {
  const merged: Item = { ...item };
  for (const [name, value] of Object.entries(change)) {
    const old = merged[name];
    if (value === null) delete merged[name];
    else if (isItem(value)) merged[name] = merge(isItem(old) ? old : {}, value);
    else merged[name] = value;
  }
  return merged;
}
