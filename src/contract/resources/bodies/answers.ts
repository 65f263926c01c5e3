import { hasNoContent } from '../../validate.js';
import { FORM, MULTIPART } from '../../forms/media-types.js';
import { isJsonMediaType, narrowMediaType } from '../../media-types.js';
import type { Content, Operation, ResponseRule } from '../../model.js';

/** The successful answer of an operation. */
export interface SuccessfulAnswer {
  status: number;
  /** `undefined` if the answer has no body. */
  mediaType: string | undefined;
  /** `undefined` also if the body is not JSON, or not described. */
  schemaPointer: string | undefined;
}

const USUAL = [200, 201, 202, 204];
const OF_A_CREATE = [201, 200, 202, 204];
/** RFC 9110 section 9.3.4: 201 is for what was not there. */
const OF_A_REPLACEMENT = [200, 204, 201, 202];

/** The successful answer of an operation; `undefined` if the contract has none. */
export function readAnswer({ method, responses }: Operation): SuccessfulAnswer | undefined {
  const order = method === 'POST' ? OF_A_CREATE : method === 'PUT' ? OF_A_REPLACEMENT : USUAL;
  const exact = order.map((status) => responses.find((rule) => rule.status === String(status)));
  const rule = exact.find((each) => each !== undefined) ?? findOther(responses);
  if (rule === undefined) return undefined;
  const status = /^\d+$/.test(rule.status) ? Number(rule.status) : (order[0] ?? 200);
  const content = findJson(rule.content);
  const sent = content ?? rule.content[0];
  const isEmpty = rule.content.length === 0 || hasNoContent(status);
  return {
    status,
    mediaType: isEmpty || sent === undefined ? undefined : narrowMediaType(sent.mediaType),
    schemaPointer: content?.schemaPointer,
  };
}

/** `default` describes success only if no other response does (OpenAPI 3.1.1, Responses Object). */
function findOther(responses: readonly ResponseRule[]): ResponseRule | undefined {
  const other = responses.find(({ status }) => /^2(\d\d|XX)$/i.test(status));
  return other ?? responses.find(({ status }) => status === 'default');
}

/** The schema of a request body, preferably of JSON or a form; `undefined` if the contract does not describe it. */
export function findRequestContent({ requestBody }: Operation): Content | undefined {
  const described = requestBody?.content.filter(({ schemaPointer }) => schemaPointer !== undefined) ?? [];
  const find = (type: string): Content | undefined => described.find(({ mediaType }) => mediaType === type);
  return findJson(described) ?? find(FORM) ?? find(MULTIPART) ?? described[0];
}

/** JSON by its name, else a range that includes it. */
function findJson(content: readonly Content[]): Content | undefined {
  const isRange = ({ mediaType }: Content): boolean => mediaType === '*/*' || mediaType === 'application/*';
  return content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? content.find(isRange);
}
