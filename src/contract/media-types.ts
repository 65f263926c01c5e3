/** Whether a media type of the contract, which may be a range such as `image/*`, includes the one that was sent. */
export function coversMediaType(range: string, mediaType: string): boolean {
  if (range === mediaType || range === '*/*') return true;
  if (range.endsWith('/*')) return mediaType.startsWith(range.slice(0, -1));
  // Some documents write `application/*+json`.
  const [start = '', end, ...more] = range.split('*');
  return end !== undefined && more.length === 0 && mediaType.startsWith(start) && mediaType.endsWith(end);
}

/** Whether content of this media type, written with parameters or without, is JSON. */
export function isJsonMediaType(mediaType: string): boolean {
  return /^[^;]*\bjson\b/i.test(mediaType);
}
