/** A shorter secret is only taken for one where it stands alone, lest a text full of `a`s turns black. */
const LONG_ENOUGH = 6;

/** How a secret is written: as it stands, within JSON and within a URL. */
export function listSpellings(secret: string): string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])];
}

/** Finds a secret in any text, however it is written there. */
export function createSecretPattern(secret: string): RegExp {
  const pattern = listSpellings(secret)
    .toSorted((a, b) => b.length - a.length)
    .map(escapeForPattern)
    .join('|');
  return secret.length >= LONG_ENOUGH
    ? new RegExp(pattern, 'g')
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'gu');
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
