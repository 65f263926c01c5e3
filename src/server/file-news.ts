/** What became of the files that a mock follows; one for as long as it runs, whatever takes the place of its worlds. */
export interface FileNews {
  /** Grows when other worlds take the place of those that were there. */
  revision: number;
  /** What changed last, a sentence. */
  changed: string | undefined;
  /** What of it is not as it was, or as the files say: sentences. */
  lost: string | undefined;
  /** Why the files as they are now cannot be used, with file and line; then the last good ones are served. */
  problem: string | undefined;
}

export function createFileNews(): FileNews {
  return { revision: 0, changed: undefined, lost: undefined, problem: undefined };
}
