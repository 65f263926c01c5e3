import type { Call } from '../../world/world.js';
import { asFields } from '../served.js';

/** A query parameter by its name in the URL: `filter[status]` may be one parameter, or a field of `filter`. */
export function readQuery(query: Call['query'], name: string): unknown {
  if (query[name] !== undefined || !name.endsWith(']')) return query[name];
  const [, holder = '', field = ''] = /^([^[]+)\[([^\]]*)\]$/.exec(name) ?? [];
  return holder === '' ? undefined : asFields(query[holder])?.[field];
}
