import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { reportFormats } from '../../../src/report/index.js';
import { serveJson } from '../../support/network/serve-json.js';

/** Bodies that a target may answer with to every request, with 200 and as JSON. */
const oddBodies: Record<string, string> = {
  'half a surrogate pair as an id': '[{"id":"\\ud800","name":"\\udc00","categoryId":1}]',
  'an id that is a path': '[{"id":"../../admin?x=1#y","name":"Rex","categoryId":1}]',
  'an id that is enormous': `[{"id":${'9'.repeat(5000)},"name":"Rex","categoryId":1}]`,
  'names of the prototype':
    '[{"__proto__":{"id":1},"constructor":1,"toString":null,"id":1,"name":"Rex","categoryId":1}]',
  'a list of null': '[null,null]',
  'control characters': '[{"id":1,"name":"\\u0000\\u001b[2J","categoryId":1,"status":"\\u202e"}]',
  'references of scenarios':
    '[{"id":1,"name":"{$run.parameters}","categoryId":1,"status":"$steps.list.response.body"}]',
  'a deep pet': `[{"id":1,"name":${'['.repeat(3000)}${']'.repeat(3000)},"categoryId":1}]`,
};

test.each(Object.entries(oddBodies))(
  'a target that answers everything with %s ends with deviations',
  async (_, body) => {
    const { url, close } = await serveJson(() => ({ status: 200, body: Buffer.from(body) }), '/v1');
    onTestFinished(close);
    const result = await runConformance({ target: url, apiKey: 'any', settleMs: 0, skip: ['pets/requests/*'] });
    expect(result.summary.deviated).toBeGreaterThan(20);
    expect(reportFormats['pretty']?.write(result, { color: false, quiet: false }) ?? '').not.toMatch(CONTROLS);
  },
);

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;
