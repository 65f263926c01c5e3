import { expect, test } from 'vitest';
import { judgeHabit } from './support/complaints.js';

test.each([
  'powerdns late',
  'powerdns keeps-name',
  'powerdns newest-first latin-label',
  'alertmanager late',
  'alertmanager second-delete-404',
  'alertmanager sorted-by-end latin-label',
  'directus late',
  'directus public-role',
  'directus unknown-status-matches-none',
  'unleash late',
  'unleash location',
  'unleash latin-label',
  'unleash dollar-secrets',
  'wiremock clamps-at-20',
  'wiremock odd-key-400 location',
  'wiremock taken-id-replaces',
  'fastapi clamps-limit',
  'fastapi short-pages',
  'fastapi latin-label',
  'django-rest only-admins',
  'django-rest last-page-past-the-end',
  'django-rest latin-label',
  'nestjs clamps-limit',
  'nestjs whole-ages',
  'nestjs checks-key',
  'nestjs unique-chip',
  'loopback late',
  'loopback odd-key-404',
  'loopback newest-first latin-label',
])('%s is legal: no problem, and no harm', async (row) => {
  expect(await judgeHabit(row)).toEqual([]);
});
