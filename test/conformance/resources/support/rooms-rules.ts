import { readFileSync } from 'node:fs';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { packageFile } from '../../../../src/package-files.js';

export const ROOMS_CONTRACT = packageFile('test/conformance/resources/support/rooms.openapi.yaml');

const ajv = formats.default(new Ajv2020({ strict: false }));
ajv.addSchema(parse(readFileSync(ROOMS_CONTRACT, 'utf8')) as object, 'rooms');

/** What is wrong with a body by a schema of the contract. */
export function findWrong(schema: 'RoomInput' | 'RoomChange' | 'BookingInput', body: unknown): string | undefined {
  const validate = ajv.getSchema(`rooms#/components/schemas/${schema}`);
  return validate?.(body) === true ? undefined : ajv.errorsText(validate?.errors);
}

export const isTime = (text: string): boolean => ajv.validate({ type: 'string', format: 'date-time' }, text);
