const each = (write: (char: string, code: number) => string, among = /./u) => {
  return (key: string): string =>
    key.replace(/./gs, (char) => (among.test(char) ? write(char, char.charCodeAt(0)) : char));
};

const hex = (code: number, length: number): string => code.toString(16).padStart(length, '0');

/** How programs write a key: each gives a text that some reader turns back into it. */
export const ENCODINGS: Readonly<Record<string, (key: string) => string>> = {
  raw: (key) => key,
  'in capitals': (key) => key.toUpperCase(),
  'escapes of JSON': each((_, code) => `\\u${hex(code, 4)}`),
  'escapes of JSON, in capitals': each((_, code) => `\\u${hex(code, 4).toUpperCase()}`),
  'escapes of JSON, here and there': each((_, code) => `\\u${hex(code, 4)}`, /[aeiou&<>'0-4]/i),
  'JSON for a page': (key) =>
    key.replaceAll('/', '\\/').replace(/[&<>']/g, (char) => `\\u00${hex(char.charCodeAt(0), 2)}`),
  'JSON within JSON': (key) => JSON.stringify(key.replaceAll('/', '\\/')).slice(1, -1),
  'a URL': encodeURIComponent,
  'a form': (key) => new URLSearchParams({ key }).toString().slice('key='.length),
  'a URL, each letter': each((_, code) => `%${hex(code, 2)}`),
  'a URL, each letter, in capitals': each((_, code) => `%${hex(code, 2).toUpperCase()}`),
  'a URL, here and there': each((_, code) => `%${hex(code, 2)}`, /[b-j%/+]/),
  'a URL within a URL': (key) => encodeURIComponent(encodeURIComponent(key)),
  'a URL within JSON': each((_, code) => `\\u0025${hex(code, 2)}`),
  'HTML, decimal': each((_, code) => `&#${code};`),
  'HTML, hex': each((_, code) => `&#x${hex(code, 2)};`, /[^a-z]/),
  'HTML, by name': (key) => key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;'),
  'Base64 of a user and the key': (key) => Buffer.from(`u:${key}`).toString('base64'),
  'Base64 of a longer user and the key': (key) => Buffer.from(`us:${key}`).toString('base64'),
  'Base64 behind three bytes': (key) => Buffer.from(`usr${key}:`).toString('base64'),
  'Base64 for a URL': (key) => Buffer.from(`u:${key}!?`).toString('base64url'),
  'Base64 in a URL': (key) => encodeURIComponent(Buffer.from(`us${key}??>`).toString('base64')),
  hex: (key) => Buffer.from(key).toString('hex'),
  'hex in capitals': (key) => Buffer.from(key).toString('hex').toUpperCase(),
};
