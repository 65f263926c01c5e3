import type { Called } from './connect-client.js';

/** Calls a tool. */
type Call = (name: string, given?: Record<string, unknown>) => Promise<Called>;

type Wrong = { at: string; rule: string; expected: string; actual: string };

/**
 * Mends a program with what the tools say and nothing else: it lets the program call a mock, asks who erred, changes its
 * source by the answer, and looks whether the mock now has nothing to complain of. It knows no contract.
 */
export async function mend(
  source: string,
  { call, run }: { call: Call; run: (source: string, mock: { url: string; key: string }) => Promise<void> },
): Promise<string> {
  const { data: mock } = await call('mock', { do: 'start' });
  const at = { url: String(mock['url']), key: String(mock['key']) };
  await run(source, at);
  const { data: before } = await call('requests', { violations: true, limit: 3 });
  const first = before['requests'][0] as { n: number; operationId: string; wrong: Wrong[] };
  const { data: operation } = await call('contract', { operation: first.operationId });
  const { data: whole } = await call('requests', { show: first.n });
  const mended = first.wrong.reduce((text, wrong) => change(text, wrong, { operation, whole }), source);
  await call('mock', { do: 'reset' });
  await run(mended, at);
  const { data: after } = await call('requests', { violations: true });
  if (after['requests'] !== undefined) throw new Error(`it still errs: ${JSON.stringify(after)}`);
  return mended;
}

type Known = { operation: Called['data']; whole: Called['data'] };

/** What a rule that was broken means for the source. */
function change(source: string, { rule, at, expected, actual }: Wrong, known: Known): string {
  switch (rule) {
    case 'maximum':
      return source.replaceAll(new RegExp(String.raw`\b${actual}\b`, 'g'), /\d+/.exec(expected)?.[0] ?? actual);
    case 'enum':
      return source.replaceAll(`'${JSON.parse(actual) as string}'`, `'${/"(\w+)"/.exec(expected)?.[1] ?? ''}'`);
    case 'required':
      return source.replaceAll(`${findStray(known)}:`, `${at.replace('body/', '')}:`);
    default:
      throw new Error(`no idea what to do about ${rule}`);
  }
}

/** The member of the body that the operation does not have. */
function findStray({ operation, whole }: Known): string {
  const sent = Object.keys(JSON.parse(whole['request'].body as string) as object);
  const fields = (operation['fields'] as string[]).map((line) => /^body\/(\w+)/.exec(line)?.[1]);
  return sent.find((name) => !fields.includes(name)) ?? '';
}
