import { afterEach, describe, expect, test } from 'vitest';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { reportFormats } from '../../../src/report/index.js';
import { hostileKinds, startHostileTarget } from '../../hostile/start-hostile-target.js';
import type { HostileKind, HostileTarget } from '../../hostile/start-hostile-target.js';
import { serveJson } from '../../support/network/serve-json.js';

const KEY = 'Hostile-Target-Key-1';
/** For what has no end but the runner's patience; what ends by its size or its form is given all the time it takes. */
const SHORT_MS = 400;
const LONG_MS = 8000;
let target: HostileTarget | undefined;

afterEach(async () => {
  await target?.close();
  target = undefined;
});

/** What comes of a run: a result, or the code and message of the error that says why there is none. */
async function runAgainst(kind: HostileKind): Promise<RunResult | { code: string; message: string }> {
  target = await startHostileTarget(kind);
  try {
    return await runConformance({
      target: target.url,
      apiKey: KEY,
      timeoutMs: [expected[kind]].flat().includes(TOO_SLOW) ? SHORT_MS : LONG_MS,
      settleMs: 0,
      concurrency: 2,
      only: ['pets/records/create', 'pets/records/list', 'pets/records/unknown', 'pets/refusals/credentials[list]'],
    });
  } catch (error) {
    if (error instanceof PetstoreMockError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** An answer may be longer than the runner reads: nothing is concluded of it. */
const TOO_LONG = /^the body (is longer|unpacks to more) than 8388608 bytes$/;
const GIVEN_UP = /^no response of the target was complete: the body (is longer|unpacks to more) than 8388608 bytes$/;
const CLOSED = /the connection was closed before a response came/;
const NO_HTTP = /Node\.js cannot read what came as HTTP\/1\.1 \(HPE_/;
const MOVED = /the API is not at .*: listPets, getPet returned 307 to .*, 307 to .*; give the base URL/;
const TOO_SLOW = /no complete response within 400 ms/;

/** What each kind comes to: why it cannot be reached or judged, or the checks that find it; one that races may come to both. */
const expected: Record<HostileKind, RegExp | string[] | [RegExp, string[]]> = {
  'never-answers': TOO_SLOW,
  'hangs-after-headers': TOO_SLOW,
  drips: TOO_SLOW,
  'drips-headers': TOO_SLOW,
  'informational-flood': TOO_SLOW,
  'endless-body': TOO_LONG,
  'huge-json': TOO_LONG,
  'gzip-bomb': TOO_LONG,
  'closes-unanswered': CLOSED,
  'closes-at-once': CLOSED,
  'resets-in-headers': CLOSED,
  'resets-in-body': [CLOSED, ['answered']],
  'endless-headers': /Node\.js cannot read what came as HTTP\/1\.1 \(HPE_HEADER_OVERFLOW\)/,
  'content-length-too-long': ['answered'],
  'content-length-too-short': NO_HTTP,
  'content-length-twice': NO_HTTP,
  'bad-chunk-size': NO_HTTP,
  'not-http': NO_HTTP,
  'not-even-text': NO_HTTP,
  'closed-port': /nothing listens there/,
  'self-signed-tls': /could not be secured: .* with --ca \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
  'plain-behind-https': /could not be secured/,
  'html-everywhere': /the API is not at .*: listPets, getPet returned 200, 200; give the base URL/,
  'invalid-utf8': ['json', 'status'],
  // How deep the run itself can read is not the target's fault.
  'deep-json': ['status'],
  'unknown-status': ['server-error'],
  'not-gzip': ['answered'],
  'unknown-coding': ['answered'],
  'answers-twice': NO_HTTP,
  'redirect-loop': MOVED,
  'redirects-to-itself': MOVED,
  'redirects-elsewhere': /redirects every request, for example to .*; try --target http/,
};

describe('a target that no client should trust', () => {
  test('is each tried', () => expect(Object.keys(expected).toSorted()).toEqual(hostileKinds.toSorted()));

  test.each(hostileKinds)('%s ends with a clear answer', async (kind) => {
    const end = await runAgainst(kind);
    expect(target?.leakedAuthorization).toBe(false);
    const wanted = [expected[kind]].flat();
    expect(tell(end, wanted)).toEqual(['as expected']);
    expect(writeAll(end)).not.toContain(KEY);
  });
});

function writeAll(end: RunResult | { code: string; message: string }): string {
  if ('code' in end) return end.message;
  return Object.values(reportFormats)
    .map((format) => format.write(end, { color: false, quiet: false }))
    .join('\n');
}

/** What is not as expected; a run that found nothing, or that passed anything, never is. */
function tell(end: RunResult | { code: string; message: string }, wanted: (RegExp | string | string[])[]): string[] {
  if ('code' in end) {
    const isExpected = wanted.some((each) => each instanceof RegExp && each.test(end.message));
    return ['target-unreachable', 'wrong-target'].includes(end.code) && isExpected
      ? ['as expected']
      : [end.code, end.message];
  }
  const { deviated, passed } = end.summary;
  if (wanted.includes(TOO_LONG) && deviated + passed === 0) return listFailures(end);
  const found = listChecks(end);
  const checks = wanted.flat().filter((each) => typeof each === 'string');
  const isExpected = checks.length > 0 && checks.every((check) => found.includes(check));
  return isExpected && deviated > 0 && passed === 0
    ? ['as expected']
    : [`${deviated} deviated, ${passed} passed`, ...found];
}

/** Why a run that has nothing but long answers concluded nothing: they are too long, until it gives the target up. */
function listFailures({ scenarios }: RunResult): string[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const failures = [...new Set(exchanges.map(({ failure }) => failure ?? 'none'))];
  const others = failures.filter((failure) => !TOO_LONG.test(failure) && !GIVEN_UP.test(failure));
  return others.length === 0 && failures.some((failure) => TOO_LONG.test(failure)) ? ['as expected'] : failures;
}

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

describe('a target that answers everything with', () => {
  test.each(Object.entries(oddBodies))('%s ends with deviations', async (_, body) => {
    const { url, close } = await serveJson(() => ({ status: 200, body: Buffer.from(body) }), '/v1');
    try {
      const result = await runConformance({ target: url, apiKey: KEY, settleMs: 0, skip: ['pets/requests/*'] });
      expect(result.summary.deviated).toBeGreaterThan(20);
      expect(reportFormats['pretty']?.write(result, { color: false, quiet: false }) ?? '').not.toMatch(CONTROLS);
    } finally {
      await close();
    }
  });
});

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;

function listChecks({ scenarios }: RunResult): string[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps).flatMap((step) => step.exchanges);
  return [...new Set(exchanges.flatMap(({ findings }) => findings).map(({ check }) => check))].toSorted();
}
