import { vi } from 'vitest';

/** What a test may change of its process, by name. */
export function readProcess(): Record<string, unknown> {
  const listeners = process.eventNames().map((name) => [`listeners of ${String(name)}`, process.listenerCount(name)]);
  const globals = Object.getOwnPropertyNames(globalThis)
    // What compiled packages bring with them.
    .filter((name) => !name.startsWith('__'))
    .map((name) => [`global ${name}`, true]);
  const writes = Object.fromEntries(
    (['stdout', 'stderr'] as const).map((name) => [`write to ${name}`, Reflect.get(process[name], 'write')]),
  );
  const functions = { fetch, setTimeout, setInterval, 'Date.now': Date.now, 'Math.random': Math.random };
  return {
    ...Object.fromEntries(Object.entries(process.env).map(([name, value]) => [`environment ${name}`, value])),
    ...Object.fromEntries(listeners),
    ...Object.fromEntries(globals),
    ...functions,
    'working folder': process.cwd(),
    'exit code': process.exitCode,
    'fake timers': vi.isFakeTimers(),
    ...writes,
  };
}

/** What is other than it was. */
export function listLeaks(before: Record<string, unknown>, now: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
