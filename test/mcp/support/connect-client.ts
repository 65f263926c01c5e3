import { PassThrough, type Readable, type Writable } from 'node:stream';
import { Client, deserializeMessage, serializeMessage, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { serveToolsOverStdio, type StdioOptions } from '../../../src/mcp/create-server.js';

/** What a test may allow, beside what is usual. */
export type Allowed = Partial<StdioOptions['permissions']>;

/** What a client got of a call. */
export interface Called {
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- Each tool has data of its own, and tests say what they expect of it.
  data: Record<string, any>;
  isError: boolean;
}

export interface ConnectedClient {
  client: Client;
  call: (name: string, given?: Record<string, unknown>) => Promise<Called>;
  /** Every line that the server has written. */
  written: string[];
  /** What the server complained of. */
  complaints: string[];
  close: () => Promise<void>;
}

/** The SDK's client, connected over two streams to a server of tools in this process. */
export async function connectClient(
  allowed: Allowed = {},
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<ConnectedClient> {
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
  const complaints: string[] = [];
  const server = serveToolsOverStdio({
    permissions: {
      targets: [],
      testsThisMachine: true,
      createsElsewhere: false,
      variables: ['PETSTORE_API_KEY'],
      readVariable: () => undefined,
      folder: process.cwd(),
      ...allowed,
    },
    input: toServer,
    output: fromServer,
    adminToken: undefined,
    onError: (message) => complaints.push(message),
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const transport = new StreamTransport(fromServer, toServer);
  await client.connect(transport);
  const close = async (): Promise<void> => {
    await client.close();
    await server.close();
  };
  onTestFinished(close);
  return { client, call: caller(client), written: transport.written, complaints, close };
}

/** The SDK gives a call up after a minute, which a busy machine may need. */
export const LONG = { timeout: 200_000 };

/** Calls tools, and returns what a model would read. */
export function caller(client: Client): ConnectedClient['call'] {
  return async (name, given = {}) => {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: given }, LONG);
    const [first] = content as { text: string }[];
    return { text: first?.text ?? '', data: structuredContent as Called['data'], isError };
  };
}

/** Lines of JSON over two streams, as a client has them of a program that it starts. */
class StreamTransport {
  readonly written: string[] = [];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  #rest = '';
  readonly #input: Readable;
  readonly #output: Writable;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        this.written.push(line);
        this.onmessage?.(deserializeMessage(line));
      }
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#output.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#output.end();
    this.onclose?.();
  }
}
