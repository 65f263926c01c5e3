/** What a reviver learns about a number besides its value (ECMAScript, JSON.parse source text access). */
interface Source {
  source?: string;
}

type Reviver = (this: unknown, name: string, value: unknown, context?: Source) => unknown;

/** Reads JSON with every integer exact: past 2^53 it is a `bigint`. */
export function parseExact(text: string): unknown {
  const revive: Reviver = (_name, value, context) => {
    const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    const source = context?.source ?? '';
    return isRounded && /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, revive);
}

/** Prints what {@link parseExact} reads, indented when `indent` is given. */
export function printExact(value: unknown, indent = ''): string {
  return print(value, { indent, depth: 0 });
}

function print(value: unknown, at: { indent: string; depth: number }): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = { ...at, depth: at.depth + 1 };
  const colon = at.indent === '' ? ':' : ': ';
  const items = Array.isArray(value)
    ? value.map((each) => print(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}${colon}${print(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return `${open}${close}`;
  if (at.indent === '') return `${open}${items.join(',')}${close}`;
  const margin = `\n${at.indent.repeat(at.depth)}`;
  return `${open}${margin}${at.indent}${items.join(`,${margin}${at.indent}`)}${margin}${close}`;
}
