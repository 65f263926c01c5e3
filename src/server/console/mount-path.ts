import type { IncomingMessage } from 'node:http';

/** Express cuts the mount path off `url` and keeps it in `baseUrl`. */
export type Asked = IncomingMessage & { baseUrl?: string };

/** Where this is mounted. It stands in the page's addresses; what could end one is in no path that a server is mounted at. */
export function mountPathOf({ baseUrl = '' }: Asked): string {
  return /^[\w~!$'()*+,;=:@%/.-]*$/.test(baseUrl) ? baseUrl.replaceAll("'", '%27') : '';
}
