/** The outcome of a second look: a defect, nothing at all, or what would tell them apart. */
export type Look = 'defect' | 'fine' | { needs: string };
