import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { suggest } from '../suggest.js';
import type { McpTool } from './tool.js';

const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
const compiled = new WeakMap<McpTool, ValidateFunction>();

/** What is wrong with the arguments of a call, each a sentence: what, and what would be right. */
export function findArgumentProblems(tool: McpTool, given: unknown): string[] {
  const validate = compiled.get(tool) ?? ajv.compile(tool.inputSchema);
  compiled.set(tool, validate);
  if (validate(given)) return [];
  const names = Object.keys(tool.inputSchema['properties'] ?? {});
  return [...new Set((validate.errors ?? []).map((error) => tell(error, names)))];
}

function tell({ instancePath, keyword, params, message = '' }: ErrorObject, names: readonly string[]): string {
  const at = instancePath.slice(1).replaceAll('/', '.') || 'the arguments';
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params['additionalProperty']);
      return `there is no argument ${name}${suggest(name, names)} There are ${names.join(', ')}.`;
    }
    case 'required':
      return `${String(params['missingProperty'])} is missing.`;
    case 'enum':
      return `${at} must be one of ${(params['allowedValues'] as unknown[]).join(', ')}.`;
    default:
      return `${at} ${message}.`;
  }
}
