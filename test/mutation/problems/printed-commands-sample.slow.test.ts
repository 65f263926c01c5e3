import { expect, test } from 'vitest';
import { judgePrinted } from './printed-commands.js';

test.each(['limit-one-more', 'list-needs-no-key'] as const)(
  'what is printed of %s shows it again when pasted into a shell',
  async (id) => {
    expect(await judgePrinted(id)).toEqual({ curls: 1, isShownAgain: true });
  },
);
