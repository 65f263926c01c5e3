export function hashIds(ids: readonly string[]): string;
