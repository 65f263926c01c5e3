import { expect, test } from 'vitest';
import { judgeHabit } from './support/complaints.js';

/** What programs do otherwise, and may; two of a row are had at once. */
const LEGAL: Record<string, string[]> = {
  powerdns: ['late', 'keeps-name', 'newest-first latin-label'],
  alertmanager: ['late', 'second-delete-404', 'sorted-by-end latin-label'],
  directus: ['late', 'public-role', 'unknown-status-matches-none'],
  unleash: ['late', 'location', 'latin-label', 'dollar-secrets'],
  wiremock: ['clamps-at-20', 'odd-key-400 location', 'taken-id-replaces'],
  fastapi: ['clamps-limit', 'short-pages', 'latin-label'],
  'django-rest': ['only-admins', 'last-page-past-the-end', 'latin-label'],
};

const rows = Object.entries(LEGAL).flatMap(([program, habits]) => habits.map((habit) => `${program} ${habit}`));

test.each(rows)('%s is legal: no problem, and no harm', async (row) => expect(await judgeHabit(row)).toEqual([]));
