/** The rule of a finding that says what many answers show together. */
export const NOW_AND_THEN = 'now and then';
