// What an answer leads to at another host. A run follows none of it: its credentials stay with the target (RFC 9110 section 15.4).
import { asObject } from '../../contract/document/plain.js';
import type { Answered } from '../model/wire.js';
import type { Run } from './run.js';

/** Where lists have the address of their next page. */
const AROUND = ['', 'links', '_links', 'paging', 'pagination', 'meta', 'page'];
const NEXT_NAME = /^(?:@odata\.)?next(?:[_-]?(?:page|link|url|uri|href|page[_-]?(?:url|link)))?$/i;
/** RFC 8288 section 3. */
const NEXT_LINK = /<([^<>]*)>(?:\s*;[^,<]*)?;\s*rel="?next\b/i;

const told = new WeakMap<object, Set<string>>();

/** Notes the first answer that leads to each other host, by each way. */
export function noteOtherHosts(
  operationId: string | undefined,
  { status, headers, value }: Pick<Answered, 'status' | 'headers'> & { value: unknown },
  { ledger, host, note }: Pick<Run, 'ledger' | 'host' | 'note'>,
): void {
  const isRedirect = status >= 300 && status < 400;
  const found: [way: string, address: unknown][] = [
    [
      isRedirect ? 'a redirect' : '`Location`',
      isRedirect || status === 201 || status === 202 ? headers['location'] : undefined,
    ],
    ['the `Link` to the next page', NEXT_LINK.exec(headers['link'] ?? '')?.[1]],
    ...listNext(value).map(([name, address]): [string, unknown] => [`\`${name}\``, address]),
  ];
  const known = told.get(ledger) ?? new Set();
  told.set(ledger, known);
  for (const [way, address] of found) {
    const other = typeof address === 'string' ? findOtherHost(address, host) : undefined;
    if (other === undefined || known.has(`${way} ${other}`)) continue;
    known.add(`${way} ${other}`);
    note(
      `${way} names another host, ${other}, as in a response of ${operationId ?? 'the target'}: it is not followed`,
      true,
    );
  }
}

function listNext(body: unknown): [name: string, address: unknown][] {
  return AROUND.flatMap((above) =>
    Object.entries(asObject(above === '' ? body : asObject(body)[above]))
      .filter(([name]) => NEXT_NAME.test(name))
      .map(([name, address]): [string, unknown] => [
        name,
        typeof address === 'string' ? address : asObject(address)['href'],
      ]),
  );
}

/** The host and port of an address, if they are others than the target's; names of this machine are one. */
function findOtherHost(address: string, host: string): string | undefined {
  const absolute = address.startsWith('//') ? `http:${address}` : address;
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return undefined;
  const other = new URL(absolute).host;
  return nameMachine(other) === nameMachine(host) ? undefined : other;
}

function nameMachine(host: string): string {
  return host.replace(/^(?:127(?:\.\d+){3}|\[::1\])(?=$|:)/, 'localhost');
}
