import type { Row, Verdict } from '../types.js';

export interface Filter {
  text: string;
  method: string;
  /** The first digits of the status: `4`, `404`. */
  status: string;
  operation: string;
  /** `fault`: a fault has struck; the other verdicts are those of exchanges without any. */
  verdict: Verdict | 'fault' | '';
  minutes: string;
}

export const NO_FILTER: Filter = { text: '', method: '', status: '', operation: '', verdict: '', minutes: '' };
const MINUTE_MS = 60_000;

/** `now` is the time of the newest exchange, by the mock's own clock; `found` are those whose text the mock has found. */
export function fits(row: Row, filter: Filter, now: number, found: ReadonlySet<number>): boolean {
  const { method, status, operation, verdict, minutes } = filter;
  const text = filter.text.trim().toLowerCase();
  return (
    (method === '' || row.method === method) &&
    (status === '' || String(row.status).startsWith(status)) &&
    (operation === '' || (row.operationId ?? '-') === operation) &&
    (verdict === '' || verdictOf(row) === verdict) &&
    (minutes === '' || row.time >= now - Number(minutes) * MINUTE_MS) &&
    (text === '' || found.has(row.id) || [row.url, row.reason ?? ''].some((each) => each.toLowerCase().includes(text)))
  );
}

/** What a fault made is not valid on either side: nobody knows what the mock would have sent. */
export const verdictOf = ({ verdict, faults }: Pick<Row, 'verdict' | 'faults'>): Verdict | 'fault' =>
  verdict === 'ok' && faults > 0 ? 'fault' : verdict;

/** Numbers as ranges, in any order: `3-17,20`. A thousand of them fit into an address. */
export function writeRanges(ids: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && id === last.to + 1) last.to = id;
    else ranges.push({ from: id, to: id });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
