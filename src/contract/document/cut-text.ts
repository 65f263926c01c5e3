/** A text of at most this many characters; an ellipsis marks the end of a longer one. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${copy(text.slice(0, most - 1))}…`;
}

/** V8 keeps a whole text in memory as long as a part of it is used, and the whole may be a body of megabytes. */
function copy(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
