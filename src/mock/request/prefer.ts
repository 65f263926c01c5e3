/** A preference that a client states. */
interface Preference {
  /** In lower case. */
  name: string;
  /** `''` if there is none (RFC 7240 section 2). */
  value: string;
}

/** One preference with its parameters; a quoted text may contain commas. */
const PREFERENCE =
  /\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*("(?:[^"\\]|\\.)*"|[^\s",;]*))?(?:"(?:[^"\\]|\\.)*"|[^,"])*(?:,|$)/y;

/**
 * The value of a preference in a `Prefer` field (RFC 7240 section 2);
 * `undefined` if it is absent. The first of several counts.
 */
export function findPreference(field: string, name: string): string | undefined {
  return readPreferences(field).find((preference) => preference.name === name)?.value;
}

function readPreferences(field: string): Preference[] {
  const found: Preference[] = [];
  let at = 0;
  while (at < field.length) {
    PREFERENCE.lastIndex = at;
    const match = PREFERENCE.exec(field);
    if (match === null) {
      // Anything that is not a preference is skipped, up to the next comma.
      const comma = field.indexOf(',', at);
      at = comma === -1 ? field.length : comma + 1;
      continue;
    }
    found.push({ name: (match[1] ?? '').toLowerCase(), value: unquote(match[2] ?? '') });
    at = PREFERENCE.lastIndex;
  }
  return found;
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text;
}
