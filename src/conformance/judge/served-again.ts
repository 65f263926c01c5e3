/** The rule of a failure that was none when the same was sent again: it has no condition that a request could meet. */
export const SERVED_AGAIN = 'served-again';
