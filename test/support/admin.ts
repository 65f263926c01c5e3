import { request as httpRequest } from 'node:http';
import { loadContract } from '../../src/contract/contract.js';
import { parseJson, printJson } from '../../src/contract/document/json.js';
import { readParameters } from '../../src/contract/parameters.js';
import { packageFile } from '../../src/package-files.js';

const document = loadContract(packageFile('spec/admin.openapi.yaml'), { shownAs: 'spec/admin.openapi.yaml' });

export const adminOperations = document.operations.map(({ id }) => id);

/** The operations that were called, for a test that wants all of them. */
export const called = new Set<string>();

export interface AdminCallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** The call is meant to break the document. */
  broken?: boolean;
}

export type AdminAnswer = { status: number; headers: Record<string, string | string[] | undefined>; value: unknown };

/** Calls the admin API as any client does. Throws when call or answer is not as its document says. */
export async function callAdmin(adminUrl: string, call: string, options: AdminCallOptions = {}): Promise<AdminAnswer> {
  const [method = '', target = ''] = call.split(' ');
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  const text = hasBody ? printJson(options.body ?? {}) : undefined;
  const headers = { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...options.headers };
  if (options.broken !== true) checkCall({ method, target, headers, text });
  const answer = await send(`${adminUrl}${target}`, { method, headers, text });
  checkAnswer({ method, target }, answer);
  return answer;
}

function send(
  url: string,
  { method, headers, text }: { method: string; headers: Record<string, string>; text: string | undefined },
): Promise<AdminAnswer & { text: string }> {
  return new Promise((resolve, reject) => {
    // Not `fetch`, which sends no Host and no Origin of one's own.
    const sent = httpRequest(url, { method, headers }, (response) => {
      let received = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      response.on('end', () => {
        const parsed = received === '' ? undefined : parseJson(received);
        const value = parsed?.ok === true ? parsed.value : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, value, text: received });
      });
    });
    sent.on('error', reject).end(text);
  });
}

type Sent = { method: string; target: string; headers: Record<string, string>; text: string | undefined };

function checkCall({ method, target, headers, text }: Sent): void {
  const [path = '', query = ''] = target.split('?');
  const match = document.match(method, path);
  if (match.kind !== 'operation') throw new Error(`the admin document has no ${method} ${path}`);
  const reading = readParameters(match.operation, { pathValues: match.pathValues, query, headers });
  const parsed = text === undefined ? undefined : parseJson(text);
  const violations = [
    ...document.validate.parameters(match.operation, reading),
    ...(parsed?.ok === true && match.operation.requestBody !== undefined
      ? document.validate.requestBody(match.operation, 'application/json', parsed.value)
      : []),
  ];
  if (violations.length > 0)
    throw new Error(`${method} ${target}: ${violations.map(({ message }) => message).join('; ')}`);
  called.add(match.operation.id);
}

function checkAnswer(
  { method, target }: Pick<Sent, 'method' | 'target'>,
  answer: AdminAnswer & { text: string },
): void {
  const match = document.match(method === 'HEAD' ? 'GET' : method, target.split('?')[0] ?? '');
  if (match.kind !== 'operation' || method === 'HEAD') return;
  const body = answer.text === '' ? undefined : { value: answer.value, text: answer.text };
  const headers = { 'Content-Type': String(answer.headers['content-type'] ?? '') };
  const broken = document.validate.response(match.operation, { status: answer.status, headers, body });
  if (broken.length > 0) {
    throw new Error(`${method} ${target} → ${answer.status}: ${broken.map(({ message }) => message).join('; ')}`);
  }
}
