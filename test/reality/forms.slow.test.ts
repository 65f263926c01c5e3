import { expect, test } from 'vitest';
import { judgeForm } from './support/complaints.js';
import { words } from '../support/words.js';

test.each(words`powerdns alertmanager directus unleash wiremock fastapi django-rest`)(
  '%s as it is has no problem, and comes to no harm',
  async (row) => {
    expect(await judgeForm(row)).toEqual([]);
  },
);
