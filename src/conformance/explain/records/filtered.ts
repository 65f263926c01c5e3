/** The scenarios of filters, and the filter that their rows are called by. */
export const FILTERED = /\/(?:filters?(?:-[\w-]+)?|at-start|later-filtered|filtered-words|[\w-]+-filter)\[(.*)\]$/;
