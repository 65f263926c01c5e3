import type { RunResult } from '../../../src/conformance/index.js';
import { content } from '../../support/open-paths.js';
import { integer, object, text } from '../resources/support/odd-resource.js';
import { fail, type Answer, type Asked, type Item } from '../resources/support/stranger.js';
import { runStranger, type Paths } from '../resources/support/strangers.js';

/** What a defect makes of an answer that is right. */
export type Defect = (answer: Answer, asked: Asked) => Answer;

export const OPTIONAL = ['body', 'tag', 'mood', 'place', 'author', 'source', 'genre', 'accent', 'label'];
const ref = (name: string): Item => ({ $ref: `#/components/schemas/${name}` });
const draft = {
  title: { ...text, minLength: 1, maxLength: 60 },
  ...Object.fromEntries(OPTIONAL.map((name) => [name, text])),
  owner: object({ name: text, desk: integer }, ['name']),
};
const BESIDE = {
  openapi: '3.1.0',
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    headers: { Total: { required: true, schema: integer } },
    schemas: { Draft: object(draft, ['title']), Note: { allOf: [ref('Draft'), object({ id: integer })] } },
  },
};
const refusals = { list: [401], create: [400, 401], get: [401, 404], remove: [401, 404] };

/** A schema and a header field have names of their own. */
function describeTotal(paths: Paths): void {
  const headers = { 'X-Total-Count': { $ref: '#/components/headers/Total' } };
  const all = { ...content({ type: 'array', items: ref('Note') }), headers };
  Object.assign(paths['/notes']?.['get']?.responses ?? {}, { 200: all });
}

/** What a run says of a service of notes that is right but for one defect. */
export const judgeNotes = (defect: Defect = (answer) => answer, only?: string[]): Promise<RunResult> =>
  runStranger({
    plan: {
      name: 'notes',
      record: ref('Note'),
      sent: ref('Draft'),
      refusals,
      methods: ['list', 'create', 'get', 'remove'],
    },
    paths: describeTotal,
    beside: BESIDE,
    habits: () => ({
      list: (items) => ({ status: 200, headers: { 'x-total-count': String(items.length) }, body: items }),
    }),
    serve: (_, shelf) => (asked) =>
      defect(asked.headers['authorization'] === 'Bearer any' ? shelf(asked) : fail(401), asked),
    options: { settleMs: 0 },
    ...(only && { only }),
  });
