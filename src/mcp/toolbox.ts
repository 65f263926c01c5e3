import { PetstoreMockError } from '../errors.js';
import { findArgumentProblems } from './check-arguments.js';
import { showData, showLines } from './show.js';
import type { Arguments, McpTool, ToolAnswer, ToolCall } from './tool.js';
import { conformanceTool } from './tools/conformance.js';
import { contractTool } from './tools/contract.js';
import { explainTool } from './tools/explain.js';
import { gapsTool } from './tools/gaps.js';
import { mockTool } from './tools/mock.js';
import { requestsTool } from './tools/requests.js';

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly McpTool[] = [mockTool, requestsTool, contractTool, conformanceTool, explainTool, gapsTool];

/** The longest text of an answer; every tool stays below it by itself. */
const LONGEST = 12_000;

/** The outcome of a call as the protocol has it. */
export interface CallOutcome {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** Calls a tool. What a call cannot have is in the outcome, for the model to read; only our own bugs are thrown. */
export async function callTool(tool: McpTool, given: Arguments, call: ToolCall): Promise<CallOutcome> {
  const problems = findArgumentProblems(tool, given);
  if (problems.length > 0) return fail('bad-arguments', problems.join(' '), call);
  try {
    return succeed(await tool.run(given, call), call);
  } catch (error) {
    if (error instanceof PetstoreMockError) return fail(error.code, error.message, call);
    throw error;
  }
}

function succeed({ text, data }: ToolAnswer, { desk }: ToolCall): CallOutcome {
  return {
    content: [{ type: 'text', text: cutLines(showLines(text, desk.redact)) }],
    structuredContent: showData(data, desk.redact),
  };
}

function fail(code: string, message: string, { desk }: ToolCall): CallOutcome {
  return {
    content: [{ type: 'text', text: `${code}: ${showLines(message, desk.redact).slice(0, LONGEST)}` }],
    structuredContent: showData({ error: { code, message } }, desk.redact),
    isError: true,
  };
}

function cutLines(text: string): string {
  if (text.length <= LONGEST) return text;
  const kept = text.slice(0, LONGEST);
  return `${kept.slice(0, kept.lastIndexOf('\n'))}\n(cut here: ${text.length} characters are too many for one response; ask for less)`;
}
