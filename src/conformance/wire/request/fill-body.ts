import { asObject } from '../../../contract/document/plain.js';
import { parseJson, printJson } from '../../../contract/document/json.js';
import { writeForm } from '../../../contract/forms.js';
import type { Content, Operation } from '../../../contract/model.js';
import { formOf } from '../../../contract/resources/resource.js';
import type { StepBody } from '../../model/scenario.js';
import { fillTemplate, type Scope } from './template.js';

/** A body as it is sent. */
export interface FilledBody {
  bytes: Uint8Array;
  mediaType: string | null;
  /** What a server reads in it, as far as it can be read. */
  json: unknown;
}

export function fillBody(
  body: StepBody | undefined,
  operation: Operation | undefined,
  scope: Scope,
): FilledBody | undefined {
  if (body === undefined) return undefined;
  const mediaType = body.mediaType === undefined ? 'application/json' : body.mediaType;
  if (body.base64 !== undefined) return { bytes: Buffer.from(body.base64, 'base64'), mediaType, json: undefined };
  const form = body.text !== undefined || operation === undefined ? undefined : formOf(operation, mediaType);
  if (form !== undefined) return fillForm(asObject(fillTemplate(body.json, scope)), form);
  const text =
    body.text === undefined
      ? printJson(fillTemplate(body.json ?? null, scope))
      : String(fillTemplate(body.text, scope));
  const parsed = parseJson(text);
  return { bytes: Buffer.from(text.padEnd(body.padTo ?? 0)), mediaType, json: parsed.ok ? parsed.value : undefined };
}

/** A form is judged by what a server reads in it. */
function fillForm(record: Readonly<Record<string, unknown>>, content: Content): FilledBody {
  const { text, mediaType, read } = writeForm(record, content);
  return { bytes: Buffer.from(text), mediaType, json: read };
}
