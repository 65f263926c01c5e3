import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import schemas from 'har-schema';

interface Log {
  pages: { id: string }[];
  entries: { pageref: string; startedDateTime: string; time: number; timings: Record<string, number> }[];
}

const isHar = compileHar();

/** Where a report breaks HAR 1.2: its schemas, and what they cannot say. */
export function judgeHar(text: string): string[] {
  const har = JSON.parse(text) as { log: Log };
  if (isHar(har)) return judgeLog(har.log);
  return (isHar.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

/** An id of a page is there once, an entry belongs to a page, and what took time adds up. */
function judgeLog({ pages, entries }: Log): string[] {
  const ids = pages.map(({ id }) => id);
  const times = entries.map(({ startedDateTime }) => startedDateTime);
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two pages have the id ${id}`),
    ...entries.filter(({ pageref }) => !ids.includes(pageref)).map(({ pageref }) => `no page has the id ${pageref}`),
    ...entries
      .filter(({ time, timings }) => Object.values(timings).reduce((sum, each) => sum + Math.max(each, 0), 0) !== time)
      .map(({ time }) => `the timings do not add up to ${time}`),
    ...(times.join() === times.toSorted().join() ? [] : ['the entries are not sorted by time']),
  ];
}

/** Draft 6 and draft 7 say the same of every keyword in it. */
function compileHar(): ReturnType<Ajv['compile']> {
  const ajv = new Ajv({ allErrors: true, strict: false });
  ajvFormats.default(ajv);
  for (const { $schema: _, ...schema } of Object.values(schemas)) ajv.addSchema(schema);
  return ajv.compile({ $ref: 'har.json#' });
}
