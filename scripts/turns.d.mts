export const turn: number | 'all';
export const changed: readonly string[];
export function inTurn<Row>(rows: readonly Row[], of: number, isTouched?: (row: Row) => boolean): Row[];
export function listSlow(): string[];
