import { expect, test } from 'vitest';
import { content, inPath, inQuery } from '../../support/open-paths.js';
import { failure, integer, object, resource, runAgainstMock, text, type Schema } from './support/odd-resource.js';

const ownSign = object({ id: integer, area_id: integer, title: text });
/** Records of the same schema. */
const sign = { $ref: '#/paths/~1signs/get/responses/200/content/application~1json/schema/items' };

/** Each was, in a contract of a real service, a deviation that a run accused the mock of, or kept it from judging. */
const ODDITIES: Record<string, Record<string, Schema>> = {
  'an answer to a create that shows the key alone, as a number where records have digits': {
    ...resource('jobs', {
      record: object({ jobId: text, name: text }),
      item: {
        put: {
          parameters: [{ ...inPath('jobId'), schema: integer }],
          requestBody: content(object({ job: object({ name: text }) }, [])),
          responses: { 200: content(object({ done: { type: 'boolean' } })) },
        },
      },
    }),
    '/jobs': {
      get: { responses: { 200: content({ type: 'array', items: object({ jobId: text, name: text }) }) } },
      post: {
        requestBody: content(object({ job: object({ name: text }) }, [])),
        responses: { 200: content(object({ jobId: integer })) },
      },
    },
  },
  'a parameter of the parent with a name of its own in each path': {
    ...resource('areas'),
    '/areas/{id}/signs': {
      get: {
        parameters: [{ ...inPath('id'), schema: integer }],
        responses: { 200: content({ type: 'array', items: sign }) },
      },
      post: {
        parameters: [{ ...inPath('id'), schema: integer }],
        requestBody: content(object({ title: text })),
        responses: { 200: content(sign) },
      },
    },
    '/areas/{area_id}/signs/{id}': {
      get: {
        parameters: [
          { ...inPath('area_id'), schema: integer },
          { ...inPath('id'), schema: integer },
        ],
        responses: { 200: content(sign) },
      },
    },
    '/signs': { get: { responses: { 200: content({ type: 'array', items: ownSign }) } } },
    '/signs/{id}': {
      delete: { parameters: [{ ...inPath('id'), schema: integer }], responses: { 200: content(sign), 404: failure } },
    },
  },
  'limits from 25 up, or of a few sizes': {
    ...resource('pots', { query: [inQuery('limit', { ...integer, minimum: 25, maximum: 500 })] }),
    ...resource('pans', { query: [inQuery('limit', { ...integer, enum: [10, 20, 50] })] }),
  },
  'pages that are never empty': {
    ...resource('texts'),
    '/texts': {
      get: {
        parameters: [inQuery('limit', { ...integer, minimum: 1, maximum: 50 }), inQuery('offset', integer)],
        responses: {
          200: content(
            object({
              texts: { type: 'array', minItems: 1, items: object({ id: integer, name: text }) },
              paging: object({ totalCount: integer }),
            }),
          ),
        },
      },
      post: {
        requestBody: content(object({ name: text })),
        responses: { 201: content(object({ id: integer, name: text })) },
      },
    },
  },
};

test('the mock keeps state for what is odd in paths and answers, and a run has nothing to say against it', async () => {
  const { headlines, tested } = await runAgainstMock(Object.values(ODDITIES));
  expect(headlines).toEqual([]);
  expect(tested).toContain('jobs/records/get');
  expect(tested).toContain('signs/records/create-full');
  expect(tested).toContain('texts/lists/pages[3]');
  expect(tested).toContain('pots/records/list');
});
