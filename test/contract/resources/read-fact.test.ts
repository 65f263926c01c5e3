import { expect, test } from 'vitest';
import { readFact } from '../../../src/contract/resources/bodies.js';

const naming = { records: new Set(['article']), key: 'id' };

test.each([
  ['articlesCount', 'count or total'],
  ['itemsTotal', 'total'],
  ['totalResults', 'total'],
  ['total_count_of_articles', 'total'],
  ['numberOfElements', 'count or total'],
  ['num_found_articles', undefined],
  ['count_on_page', 'count'],
  ['returnedCount', 'count'],
  ['articles_in_page_count', 'count'],
  ['number_of_pages', 'pages'],
  ['pageCount', 'pages'],
  ['number', undefined],
  ['page', undefined],
  ['countPerPage', undefined],
  ['unreadCount', undefined],
  ['totalPrice', undefined],
  ['commentsCount', undefined],
  ['size', undefined],
])('an integer %s beside articles says %s', (name, fact) => {
  expect(readFact(name, { ...naming, types: ['integer'] })).toBe(fact);
});

test.each([
  ['first_id', 'firstKey'],
  ['lastArticleId', 'lastKey'],
  ['last_name', undefined],
  ['previous_page_url', 'previousLink'],
  ['prev', 'previousLink'],
  ['totalPrice', undefined],
])('a text %s says %s', (name, fact) => expect(readFact(name, { ...naming, types: ['string'] })).toBe(fact));

test.each([
  ['has_more', 'hasMore'],
  ['hasMoreArticles', 'hasMore'],
  ['isTruncated', 'hasMore'],
  ['has_previous_page', 'hasPrevious'],
  ['last', 'isLast'],
  ['isFirstPage', 'isFirst'],
  ['empty', 'isEmpty'],
  ['success', undefined],
])('a truth %s says %s', (name, fact) => expect(readFact(name, { ...naming, types: ['boolean'] })).toBe(fact));
