const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['yes', true],
  ['no', false],
  ['on', true],
  ['off', false],
]);

/** What an environment variable that is on or off says, in any case; `undefined` for what is neither. */
export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase());
}
