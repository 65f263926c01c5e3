import type { IncomingMessage } from 'node:http';

/** Express moves the mount path from `url` to `baseUrl`. */
export type MountedRequest = IncomingMessage & { baseUrl?: string };

/** The mount path. The page's addresses contain it, so characters that could end an attribute are refused. */
export function mountPathOf({ baseUrl = '' }: MountedRequest): string {
  return /^[\w~!$'()*+,;=:@%/.-]*$/.test(baseUrl) ? baseUrl.replaceAll("'", '%27') : '';
}
