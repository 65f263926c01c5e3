import { cutText } from '../../../../contract/document/json.js';
import { isRecord } from '../../../judge/shown.js';
import { concludeList, noteName, type CreateObserver } from './observer.js';
import type { SeenExchange } from './seen-exchange.js';

/** A request to wait, or a failure, does not answer the question. */
function isRefusal({ status }: SeenExchange): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

const LONGEST_CODE = 80;

/** The codes of errors, by operation and status (the gap `error-codes`). */
export const createErrorCodesObserver: CreateObserver = () => {
  const seen = new Set<string>();
  return {
    note(exchange) {
      const { sent, status, body } = exchange;
      if (sent.operation === undefined || !isRefusal(exchange) || !isRecord(body)) return;
      const { code } = body;
      if (typeof code === 'string') noteName(seen, `${sent.operation.id} ${status} ${cutText(code, LONGEST_CODE)}`);
    },
    conclude: () => concludeList(seen, { of: 'error', looked: seen.size > 0 }),
  };
};

const ERROR_FIELDS = new Set(['code', 'message', 'status']);

/** Fields of errors beyond the contract's (the gap `error-fields`). */
export const createErrorFieldsObserver: CreateObserver = () => {
  const seen = new Set<string>();
  let looked = false;
  return {
    note(exchange) {
      if (exchange.sent.operation === undefined || !isRefusal(exchange) || !isRecord(exchange.body)) return;
      looked = true;
      for (const field in exchange.body) if (!ERROR_FIELDS.has(field)) noteName(seen, field);
    },
    conclude: () => concludeList(seen, { of: 'error', looked }),
  };
};
