// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|\p{Surrogate}/gu;

/**
 * What the log of a CI job would take for a command: `::name::` where a line starts (GitHub Actions), `##[name]`,
 * `##vso[...]` and `##teamcity[...]` wherever they stand.
 */
const COMMAND = /^\s*:(?=:)|#(?=#\w*\[)/g;

/** Spells out, as JSON does, what would break a line, hide what stands there, or command the log that it is printed to. */
export function spellOut(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(INVISIBLE, spell).replace(COMMAND, (start) => start.slice(0, -1) + spell(start.slice(-1)));
}

/** Most texts have nothing of the kind, and a report has megabytes of them. */
const SUSPICIOUS = /[^\u0020-\u007E]|::|##/;

/** {@link spellOut} for every text within a value. */
export function spellOutAll<T>(value: T): T {
  if (typeof value === 'string') return spellOut(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => spellOutAll(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spellOutAll(item)])) as T;
}

function spell(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
