import type { Invented } from '../../../src/conformance/model/records.js';
import { parseContract } from '../../support/parse-contract.js';
import type { Exchanged } from './check-context.js';
import { created, error, fetched, rex, tom, type CheckExamples } from './check-examples.js';

const fields = ['categoryId'];
const CATEGORY: Invented = {
  of: 'pets',
  at: '',
  fields,
  references: fields,
  choices: [],
  needs: 'a category that exists',
};
const refused = (status: number, more: Exchanged = {}): Exchanged => ({ status, body: error(status), ...more });
/** An operation of the contract with a login that refuses what was sent. */
const notIn = (operation: string, json: object, more: Exchanged): Exchanged =>
  refused(401, { contract: LOGIN, operation, sent: { json }, ...more });
const typed = (type: string | undefined, more: Exchanged = {}): Exchanged => ({
  headers: { 'content-type': type },
  ...more,
});
const empty = (status: number, headers: Exchanged['headers'] = {}): Exchanged => ({ status, text: '', headers });
const missing = (status: number, more: Exchanged = {}): Exchanged => fetched(error(status), { status, ...more });
const uncreated = (more: Exchanged = {}): Exchanged =>
  created(error(400), { status: 400, expect: { status: 201 }, invented: CATEGORY, ...more });

const BODY = `{ content: { application/json: { schema: { type: object, properties: { code: { type: string } } } } } }`;
const STATED = `responses: { '200': { description: In. }, '401': { description: Wrong. } }`;
const LOGIN = parseContract(
  `openapi: 3.0.3
info: { title: T, version: '1' }
security: [{ key: [] }]
paths:
  /sign-in: { post: { operationId: enter, security: [], requestBody: ${BODY}, ${STATED} } }
  /one-time-codes: { post: { operationId: sendIt, requestBody: ${BODY}, ${STATED} } }
  /things: { post: { operationId: addThing, requestBody: ${BODY}, ${STATED} } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`,
  { shownAs: 'login.yaml' },
);

/** For the checks on a message by itself. */
export const messageExamples: Record<string, CheckExamples> = {
  answered: {
    sound: { 'an answer': {}, 'an exchange that the run itself gave up': { failure: 'interrupted' } },
    broken: {
      'no response in time': [{ failure: 'timeout' }, 'timeout response'],
      'half a body': [{ cutOff: true, text: '[{"id"' }, 'incomplete response'],
      'a body that is shorter than announced, but whole JSON': [{ cutOff: true, body: [rex] }, 'incomplete response'],
      'a body that is longer than the run reads, of which the contract says nothing': [
        { failure: 'too-large' },
        'needs',
      ],
    },
  },
  'server-error': {
    sound: { '200': {}, '404': missing(404), 'no response': { failure: 'timeout' } },
    broken: {
      '500': [refused(500), 'no-5xx status'],
      '503 where anything goes': [refused(503, { open: true }), 'no-5xx status'],
    },
  },
  status: {
    sound: {
      'the one that is expected': { expect: { status: 200 } },
      'one of a range': missing(404, { expect: { status: '4XX' } }),
      'none that is expected': refused(418),
      'any, where the contract leaves it open': refused(422, { open: true }),
    },
    broken: {
      'another one': [{ status: 206, expect: { status: 200 } }, 'expected status'],
      'a refusal of what is valid': [refused(400, { expect: { status: 200 } }), 'expected status'],
      'a 401 about the body, of an operation that asks for no credentials': [
        notIn('enter', { user: 'ann' }, { expect: { status: 200 } }),
        'needs',
      ],
      'a 401 beside a valid key, where the body proves nothing': [
        notIn('addThing', {}, { open: true }),
        'key-refused status',
      ],
      'a valid key forbidden, where it is open': [refused(403, { open: true }), 'needs'],
      'a create refused with a category that was made up': [uncreated(), 'needs'],
      'a create refused with a category that was taken before': [
        uncreated({ knows: ({ learned }) => learned.taken.set('pets', new Set(['categoryId 7'])) }),
        'expected status',
      ],
    },
  },
  'unasked-credentials': {
    sound: { 'served without credentials': {}, 'a path that is not in the contract': { operation: undefined } },
    broken: {
      'served with those that were given alone': [
        { withoutCredentials: 401 },
        'unasked-credentials request/credentials',
      ],
    },
  },
  'content-type': {
    sound: {
      'application/json': { body: [] },
      'none without a body': empty(204, { 'content-type': undefined }),
      'anything for a path that is not in the contract': typed('text/html', { operation: undefined }),
    },
    broken: {
      'text/html': [typed('text/html'), 'media-type header/content-type'],
      absent: [typed(undefined), 'media-type header/content-type'],
    },
  },
  json: {
    sound: {
      'a list': { body: [rex] },
      'no body': { text: '' },
      'what a service nests deeper than others do': { text: `${'['.repeat(300)}${']'.repeat(300)}` },
    },
    broken: {
      'something after it': [{ text: '[] 0' }, 'well-formed body'],
      HTML: [{ text: '<html></html>' }, 'well-formed body'],
    },
  },
  body: {
    sound: {
      'a list': { body: [rex, tom] },
      'fields beyond the contract': { body: [{ ...rex, owner: null }] },
      'no body to HEAD': { method: 'HEAD', text: '' },
    },
    broken: {
      'an object for a list': [{ body: { 7: rex } }, 'type body'],
      'a list in an envelope': [{ body: { data: [] } }, 'envelope body/data'],
      'no body': [{ text: '' }, 'present body'],
      'past int64': [fetched({ ...rex, id: 9223372036854775808n }), 'format body/id'],
      'an unknown status': [{ body: [tom, { ...rex, status: 'SOLD' }] }, 'enum body/1/status'],
    },
  },
  'error-body': {
    sound: {
      'a 404': missing(404),
      'a 418, which nobody documented': refused(418),
      'a success': { body: [rex] },
      'a 401 to HEAD': { method: 'HEAD', status: 401, text: '' },
    },
    broken: {
      'no body': [empty(401), 'present body'],
      'a message that is null': [{ status: 401, body: { ...error(401), message: null } }, 'type body/message'],
      'another status': [{ status: 401, body: error(403) }, 'status body/status'],
      'a list of errors': [created([error(400)], { status: 400 }), 'type body'],
    },
  },
  'no-body': {
    sound: {
      '204 with nothing': empty(204),
      '304 with the length of what it stands for': empty(304, { 'content-length': '12' }),
    },
    broken: {
      '204 with a length': [empty(204, { 'content-length': '2' }), 'no-content body'],
      '204 in chunks': [empty(204, { 'transfer-encoding': 'chunked' }), 'no-content body'],
    },
  },
};
