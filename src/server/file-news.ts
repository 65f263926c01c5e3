/** News about the files that a mock follows. There is one for the life of the process, even when its worlds are replaced. */
export interface FileNews {
  /** Increases when the worlds are replaced. */
  revision: number;
  /** The last change, a sentence. */
  changed: string | undefined;
  /** State that could not be kept or applied, as sentences. */
  lost: string | undefined;
  /** Why the current files are unusable, with file and line; the mock then serves the last good ones. */
  problem: string | undefined;
}

export function createFileNews(): FileNews {
  return { revision: 0, changed: undefined, lost: undefined, problem: undefined };
}
