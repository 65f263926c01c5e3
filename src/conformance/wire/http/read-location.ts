/** The key of the record whose address an answer gives: the last segment of its path (RFC 9110 section 15.3.2). */
export function readLocationKey(location: string | undefined): string | undefined {
  const path = location
    ?.replace(/[?#].*$/s, '')
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '')
    .replace(/\/+$/, '');
  const segment = path?.split('/').at(-1);
  return segment === undefined || segment === '' ? undefined : readSegment(segment);
}

/** A part of a path without its percent-encoding; as it is where that is none. */
export function readSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
