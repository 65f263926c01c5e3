import type { ShellWords, ShownCredential } from '../conformance/model/shown-credential.js';
import type { ExchangeResult } from '../conformance/model/result.js';

type Form = ExchangeResult['request']['auth'];

/** A run that was not started by the program has its credentials where the program reads them. */
const USUAL: ShellWords = { apiKey: '$PETSTORE_API_KEY', credentials: {}, headers: {} };

/** How a shell has a credential, within double quotes. */
export function writeKey({ of }: Pick<ShownCredential, 'of'>, { apiKey, credentials } = USUAL): string {
  return of === undefined ? apiKey : (credentials[of] ?? readLine(of));
}

/** How a shell has a header field that the run kept secret, within double quotes. */
export function writeHeader(name: string, { headers } = USUAL): string {
  return headers[name.toLowerCase()] ?? `$${nameVariable(name)}`;
}

/** `X_GATEWAY_KEY`, for `X-Gateway-Key`. */
export function nameVariable(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]+/g, '_');
  return `${/^\d/.test(words) ? '_' : ''}${words.toUpperCase()}`;
}

/** `PETSTORE_CREDENTIALS` has a line for each: `basicAuth=user:password`. The last one counts. */
function readLine(name: string): string {
  const pattern = name.replace(/[\\/.*^$[\]]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`);
  return `$(printf '%s\\n' "$PETSTORE_CREDENTIALS" | sed -n 's/^${pattern}=//p' | tail -n 1)`;
}

/** What a request shows in place of a key, by the way in which it presented itself. */
const CHANGED: Partial<Record<Form, (key: string) => string>> = {
  wrong: (key) => `$(printf %s "${key}" | tr 0-8a-yA-Y 1-9b-zB-Z)`,
  empty: () => '',
  truncated: (key) => endWith(key, '%?') ?? `$(printf %s "${key}" | sed 's/.$//')`,
  extended: (key) => `${endWith(key, '') ?? key}x`,
  prefixed: (key) => `x${key}`,
  otherCase: (key) => `$(printf %s "${key}" | tr a-zA-Z A-Za-z)`,
  firstOfTwo: (key) => `${key} other`,
  lastOfTwo: (key) => `other ${key}`,
  amongOthers: (key) => `other,${key}`,
  quoted: (key) => String.raw`\"${key}\"`,
  beyondAscii: (key) => `${endWith(key, '') ?? key}é`,
  emptyPassword: (key) => `$(printf %s "${key}" | sed 's/:.*/:/')`,
  wordUndefined: () => 'undefined',
  wordNull: () => 'null',
  star: () => '*',
};

/** A variable with braces, which keep apart what follows. */
function endWith(key: string, operator: string): string | undefined {
  const name = /^\$(\w+)$/.exec(key)?.[1];
  return name === undefined ? undefined : `\${${name}${operator}}`;
}

/** A key as it was changed on purpose. */
export function changeKey(key: string, form: Form): string {
  return CHANGED[form]?.(key) ?? key;
}

const WORDS: Partial<Record<Form, string>> = { otherScheme: 'Basic ', bareKey: '', lowerCaseScheme: 'bearer ' };

/** The values of the `Authorization` field after the word Bearer, or what was put in its place. */
export function listBearers(key: string, form: Form): string[] {
  if (form === 'missing') return [];
  if (form === 'twoFields') return [`Bearer x${key}`, `Bearer ${endWith(key, '') ?? key}x`];
  return [`${WORDS[form] ?? 'Bearer '}${changeKey(key, form)}`];
}
