import { afterEach, describe, expect, test } from 'vitest';
import { startHostileTarget, type HostileKind, type HostileTarget } from './start-hostile-target.js';

const targets: HostileTarget[] = [];

afterEach(async () => {
  await Promise.all(targets.splice(0).map((target) => target.close()));
});

async function start(kind: HostileKind): Promise<HostileTarget> {
  const target = await startHostileTarget(kind);
  targets.push(target);
  return target;
}

/** Fetches the whole body, or says how that failed; gives up after `patience` milliseconds. */
async function tryFetch(
  url: string,
  patience = 200_000,
): Promise<{ status: number; text: string } | { failed: string }> {
  const authorization = 'Bearer secret';
  try {
    const response = await fetch(`${url}/pets`, { headers: { authorization }, signal: AbortSignal.timeout(patience) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    return { failed: code ?? (error instanceof Error ? error.name : String(error)) };
  }
}

describe('a hostile target', () => {
  test.each([
    ...(['never-answers', 'hangs-after-headers', 'drips', 'drips-headers', 'endless-body'] as const),
    'informational-flood' as const,
  ])('%s leaves the client waiting', async (kind) => {
    const { url } = await start(kind);
    expect(await tryFetch(url, 400)).toEqual({ failed: 'TimeoutError' });
  });

  test.each([
    ['closes-unanswered', /UND_ERR_SOCKET|ECONNRESET/],
    ['closes-at-once', /UND_ERR_SOCKET|ECONNRESET/],
    ['resets-in-headers', /UND_ERR_SOCKET|ECONNRESET/],
    ['resets-in-body', /UND_ERR_SOCKET|ECONNRESET/],
    ['endless-headers', /UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW/],
    ['content-length-too-long', /UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH/],
    ['not-http', /HPE_/],
    ['not-even-text', /HPE_/],
    ['bad-chunk-size', /HPE_|TypeError/],
    ['content-length-twice', /HPE_/],
    ['not-gzip', /Z_DATA_ERROR/],
    ['closed-port', /ECONNREFUSED/],
    ['self-signed-tls', /SELF_SIGNED/],
    ['plain-behind-https', /ERR_SSL/],
    ['redirect-loop', /TypeError/],
    ['redirects-to-itself', /TypeError/],
  ] satisfies [HostileKind, RegExp][])('%s fails with %s', async (kind, expected) => {
    const { url } = await start(kind);
    expect(await tryFetch(url)).toEqual({ failed: expect.stringMatching(expected) });
  });

  test.each([
    ['html-everywhere', /^<html>.*<\/html>$/],
    ['invalid-utf8', /\uFFFD/],
    ['deep-json', /^\[{100000}\]{100000}$/],
    ['unknown-status', /^\{\}$/],
    ['content-length-too-short', /^\[\{"id$/],
    ['huge-json', /"Last","categoryId":1\}\]$/],
  ] satisfies [HostileKind, RegExp][])('%s answers with %s', async (kind, expected) => {
    const { url } = await start(kind);
    expect(await tryFetch(url)).toMatchObject({ text: expect.stringMatching(expected) });
  });

  test('redirects-elsewhere tells when a client sends its key along', async () => {
    const target = await start('redirects-elsewhere');
    const headers = { authorization: 'Bearer secret' };
    const { headers: answered } = await fetch(`${target.url}/pets`, { headers, redirect: 'manual' });
    await fetch(answered.get('location') ?? '', { headers });
    expect(target.leakedAuthorization).toBe(true);
  });
});
