import type { Desk } from './desk.js';

/** The arguments of a call, which fit the tool's schema. */
export type Arguments = Readonly<Record<string, unknown>>;

/** An argument that is a text; `undefined` if there is none. */
export function textOf(given: Arguments, name: string): string | undefined {
  const value = given[name];
  return typeof value === 'string' ? value : undefined;
}

/** What a tool is told of one call beside its arguments. */
export interface ToolCall {
  desk: Desk;
  /** Aborts when the client cancels the call, or is gone. */
  signal: AbortSignal;
  /** Tells the client how far the call is, if it asked for that. */
  progress: (done: number, of: number, message: string) => void;
}

/** The same answer twice: as a few lines for a reader, and as data. */
export interface ToolAnswer {
  text: string;
  data: Readonly<Record<string, unknown>>;
}

/** One tool of the Model Context Protocol (specification 2026-07-28, Server Features, Tools). */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** JSON Schema of its arguments. Short, since every conversation pays for it. */
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; openWorldHint?: boolean };
  /** Throws a `PetstoreMockError` for what cannot be done, with what to do instead. */
  run: (given: Arguments, call: ToolCall) => Promise<ToolAnswer>;
}
