/**
 * Whether a path or a JSON Pointer is `base` itself or lies below it: `/v1` and
 * `/v1/pets` are within `/v1`, `/v1pets` is not, although it begins like it.
 */
export function isWithin(base: string, path: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
}
