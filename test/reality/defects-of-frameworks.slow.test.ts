import { expect, test } from 'vitest';
import { judgeHabit, type Open } from './support/complaints.js';

const open: Open = {};

test.each<[row: string, ...shownAt: string[]]>([
  ['fastapi resting-crashes', 'read_heroes_heroes_get'],
  ['fastapi filter-keeps-null', 'read_heroes_heroes_get'],
  ['fastapi takes-any-age', 'create_hero_heroes_post'],
  ['fastapi age-is-text', 'create_hero_heroes_post'],
  ['fastapi clears-powers', 'update_hero_heroes__hero_id__patch', 'read_hero_heroes__hero_id__get'],
  ['fastapi leaks-secret', 'update_hero_heroes__hero_id__patch'],
  ['fastapi each-12th-fetch-404', 'read_hero_heroes__hero_id__get'],
  ['django-rest empty-note-crashes', 'products_create'],
  ['django-rest second-filter-page-crashes', 'products_list'],
  ['django-rest count-of-all', 'products_list', 'categories_list'],
  ['django-rest pages-overlap', 'products_list', 'categories_list'],
  ['django-rest note-lost', 'products_create'],
  ['django-rest open-patch', 'products_partial_update'],
  ['django-rest each-12th-fetch-404', 'products_retrieve'],
])('%s is found, in at most four problems, and nobody comes to harm', async (row, ...shownAt) => {
  expect(await judgeHabit(row, shownAt)).toEqual(open[row]?.fails ?? []);
});
