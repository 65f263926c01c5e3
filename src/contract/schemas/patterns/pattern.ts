import { loadRe2, loadVm } from '../../document/load-when-needed.js';
import { isPlain, splitLookaheads } from './pattern-shape.js';
import { toRe2 } from './pattern-to-re2.js';
import { readContractPattern } from './read-contract-pattern.js';

/** What Ajv needs of a pattern. */
export interface Pattern {
  test(text: string): boolean;
  /** What Ajv tells patterns apart by. */
  toString(): string;
}

/**
 * A pattern of a contract or a scenario (ECMA-262, with the flags `u` or `iu`) whose
 * matching takes bounded time, whatever the text. Node's own engine backtracks:
 * `^(a+)+$` takes hours for forty letters. So it matches only patterns that are
 * certain to be fast. RE2 matches the rest in linear time, except for what it lacks,
 * such as back references: those go to Node's engine, with a time limit. Throws a
 * `SyntaxError` for an invalid pattern.
 */
export function createPattern(source: string, flags: string): Pattern {
  const native = new RegExp(source, flags);
  if (isPlain(source)) return native;
  const test = createLinearTest(source, flags) ?? createWatchedTest(native);
  return { test, toString: () => String(native) };
}

/**
 * {@link createPattern} for a pattern of a contract, in whatever dialect it is written ({@link readContractPattern}).
 * Throws a `SyntaxError` for one that cannot be read.
 */
export function createContractPattern(source: string, flags: string): Pattern {
  const read = readContractPattern(source);
  return createPattern(read?.source ?? source, read?.flags ?? flags);
}

function createLinearTest(source: string, flags: string): Pattern['test'] | undefined {
  try {
    const { RE2JS } = loadRe2();
    const { conditions, rest } = splitLookaheads(source);
    const compile = (part: string): Pattern['test'] => {
      const compiled = RE2JS.compile(toRe2(part), flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
      return (text) => compiled.test(text);
    };
    const checks = conditions.map(({ source: inside, negated }) => ({ matches: compile(inside), negated }));
    const matches = compile(rest);
    return (text) => checks.every((check) => check.matches(text) !== check.negated) && matches(text);
  } catch {
    // RE2 has no back references, no lookaround, and no repeat of more than a thousand.
    return undefined;
  }
}

const PATIENCE_MS = 100;
/** Up to this length, a text gets a second try: on a busy machine, the first may have waited for its turn. */
const SHORT_TEXT = 200;

/**
 * A text that takes too long does not match, and from then on neither does one of
 * half its length or more, so that all texts together take a second or two at most.
 */
function createWatchedTest(native: RegExp): Pattern['test'] {
  const { Script, createContext } = loadVm();
  const script = new Script('pattern.test(text)');
  const globals = { pattern: native, text: '' };
  const context = createContext(globals);
  const tryToMatch = (text: string): boolean | undefined => {
    globals.text = text;
    try {
      return script.runInContext(context, { timeout: PATIENCE_MS }) as boolean;
    } catch {
      return undefined;
    } finally {
      globals.text = '';
    }
  };
  let longest = Infinity;
  return (text) => {
    if (text.length >= longest) return false;
    const matches = tryToMatch(text) ?? (text.length <= SHORT_TEXT ? tryToMatch(text) : undefined);
    if (matches === undefined) longest = Math.max(1, Math.floor(text.length / 2));
    return matches ?? false;
  };
}
