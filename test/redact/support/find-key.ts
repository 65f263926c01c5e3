/**
 * Whether a key, or so much of its start that it tells, can be read out of a text by whoever decodes it. Written
 * without a look at `src/redact/`: whole texts are decoded again and again, instead of letters one by one.
 */
export function findKey(text: string, key: string): string | undefined {
  const start = key.slice(0, 8).toLowerCase();
  for (const view of listViews(text)) {
    const at = view.toLowerCase().indexOf(start);
    if (at !== -1) return view.slice(Math.max(0, at - 40), at + key.length + 40);
  }
  return undefined;
}

const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) => text.replace(/\\(["\\/])/g, '$1'),
  (text) => text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')),
  (text) => text.replace(/&#x([\da-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
  (text) => text.replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits))),
  (text) => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => NAMED[name] ?? ''),
  (text) => text.replaceAll('~1', '/').replaceAll('~0', '~'),
];

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text as it is, and with its escapes resolved, one kind after the other, over and over. */
function listViews(text: string): Set<string> {
  const views = new Set([text]);
  for (let round = 0; round < 3; round++) {
    for (const view of Array.from(views)) {
      let all = view;
      for (const decode of DECODERS) {
        all = decode(all);
        if (round === 0) views.add(decode(view));
      }
      views.add(all);
    }
  }
  for (const view of Array.from(views)) {
    views.add(decodeRuns(view, /[A-Za-z0-9+/_-]{12,}/g, listBase64));
    views.add(decodeRuns(view, /[\da-f]{16,}/gi, (run) => [0, 1].map((from) => decodeBytes(run.slice(from), 'hex'))));
  }
  return views;
}

function decodeRuns(text: string, runs: RegExp, decode: (run: string) => string[]): string {
  return (text.match(runs) ?? []).flatMap(decode).join('\n');
}

function listBase64(run: string): string[] {
  return [0, 1, 2, 3].map((from) => decodeBytes(run.slice(from), 'base64'));
}

function decodeBytes(text: string, encoding: 'hex' | 'base64'): string {
  return Buffer.from(text, encoding).toString('utf8');
}
