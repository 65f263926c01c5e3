import { jsonBody } from '../../contract/document/json.js';
import type { Profile } from '../../contract/gaps/gaps.js';
import type { ApiResponse, ResponseHeaders } from '../../contract/message.js';

/** The machine-readable `code` for each status that the mock answers with. The contract leaves the values open. */
const ERROR_CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  421: 'misdirected_request',
  422: 'invalid_request',
  429: 'too_many_requests',
  431: 'headers_too_large',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
  507: 'store_full',
};

/** An error response with the contract's Error body (`#/components/schemas/Error`). */
export function createRefusal(status: number, message: string, headers: ResponseHeaders = {}): ApiResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: jsonBody({ code: errorCodeOf(status), message, status }),
  };
}

/** An error with the code that the profile has seen for its operation and status. */
export function speakSeenCode(response: ApiResponse, operationId: string, { seen }: Profile): ApiResponse {
  const codes = seen?.['error-codes'];
  if (codes === undefined || response.status < 400 || response.body === undefined) return response;
  const start = `${operationId} ${response.status} `;
  const found = codes.find((each) => each.startsWith(start));
  if (found === undefined) return response;
  return { ...response, body: jsonBody({ ...(response.body.value as object), code: found.slice(start.length) }) };
}

/** Whether a response is one that {@link createRefusal} makes. */
export function isRefusal({ status, body }: ApiResponse): boolean {
  const { code, message, status: repeated } = (body?.value ?? {}) as Record<string, unknown>;
  return status >= 400 && typeof code === 'string' && typeof message === 'string' && repeated === status;
}

/** The `code` of an Error body with this status. */
export function errorCodeOf(status: number): string {
  return ERROR_CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal_error');
}
