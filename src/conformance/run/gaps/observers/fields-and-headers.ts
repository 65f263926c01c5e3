import { isRecord } from '../../../checks/show.js';
import { concludeList, NONE_WATCHED, noteName, type CreateObserver } from './observer.js';

/** Fields of records beyond the contract's; those that the run itself has sent do not count. */
export const createRecordFieldsObserver: CreateObserver = ({ watched }) => {
  if (watched === undefined) return { conclude: () => NONE_WATCHED };
  const seen = new Set<string>();
  const sentByUs = new Set<string>();
  let looked = false;
  return {
    note(exchange) {
      const { sent } = exchange;
      if (isRecord(sent.json)) for (const field of Object.keys(sent.json)) sentByUs.add(field);
      const records = [...watched.readShown(exchange), ...[watched.readCreated(exchange) ?? []].flat()];
      looked ||= records.length > 0;
      for (const record of records) for (const field in record) if (!watched.fields.has(field)) noteName(seen, field);
    },
    conclude: () =>
      concludeList(new Set([...seen].filter((field) => !sentByUs.has(field))), {
        of: 'record',
        looked,
      }),
  };
};

/** Names by which services point to further pages; `Link` counts only by its relation (RFC 8288). */
const PAGING = /^(content-range|(x-)?(pagination|paging|total|page|per-page|next|prev|previous|cursor|offset)(-.*)?)$/;
const PAGE_LINK = /rel="?(next|prev|previous|first|last)\b/i;

/** Header fields of lists that point to further pages (the gap `paging-headers`). */
export const createPagingHeadersObserver: CreateObserver = ({ watched }) => {
  if (watched === undefined) return { conclude: () => NONE_WATCHED };
  const seen = new Set<string>();
  let looked = false;
  return {
    note(exchange) {
      if (watched.readList(exchange) === undefined) return;
      looked = true;
      for (const [name, value] of Object.entries(exchange.headers)) {
        if (PAGING.test(name) || (name === 'link' && PAGE_LINK.test(value))) noteName(seen, name);
      }
    },
    conclude: () => concludeList(seen, { of: 'list', looked }),
  };
};

const RATE_LIMIT = /^(x-)?rate-?limit(-.*)?$/;

/** What reveals a rate limit: a 429 (RFC 6585), or header fields that count down to one. */
export const createRateLimitingObserver: CreateObserver = () => {
  const seen = new Set<string>();
  let looked = false;
  return {
    hear({ status, headers }) {
      looked = true;
      if (status === 429) seen.add('429');
      for (const name of Object.keys(headers)) if (RATE_LIMIT.test(name)) noteName(seen, name);
    },
    conclude: () => concludeList(seen, { of: 'answer', looked }),
  };
};
