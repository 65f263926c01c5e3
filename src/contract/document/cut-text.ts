/** A text of at most so many characters; the end of a longer one is told by an ellipsis. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${copy(text.slice(0, most - 1))}…`;
}

/** V8 keeps the whole of a text for as long as a part of it is kept, and that may be a body of megabytes. */
function copy(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
