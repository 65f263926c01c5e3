/** Whether a media type of the contract, which may be a range such as `image/*`, takes in one that was sent. */
export function coversMediaType(range: string, mediaType: string): boolean {
  if (range === mediaType || range === '*/*') return true;
  return range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1));
}

/** Whether content of this media type, written with parameters or without, is JSON. */
export function isJsonMediaType(mediaType: string): boolean {
  return /^[^;]*\bjson\b/i.test(mediaType);
}
