import type { Contract } from '../../../contract/contract.js';
import { parseJson, printJson } from '../../../contract/document/json.js';
import type { ApiResponse, RequestHeaders } from '../../../contract/message.js';
import type { JournalEntry, RecordedExchange } from '../../../mock/world/journal.js';
import type { World } from '../../../mock/world/world.js';
import { PLACEHOLDER } from '../../../redact/redactor.js';
import { isSecretName } from '../../../redact/secret-names.js';

interface Written {
  by: string;
  exchange: RecordedExchange;
  request: Omit<JournalEntry['request'], 'body'> & { body?: string };
  response: Omit<ApiResponse, 'body'> & { text?: string };
}

/** An entry of the journal as text for other processes. It has no keys: what left this process could be read by anyone who reads the engine. */
export function writeEntry({ exchange, request, response }: JournalEntry, by: string, { redact }: World): string {
  const { body, ...asked } = request;
  const { body: answered, ...status } = response;
  const { crash, ...told } = exchange;
  const written: Written = {
    by,
    exchange: { ...told, url: redact(told.url), crash: crash instanceof Error ? redact(crash.message) : undefined },
    request: {
      ...asked,
      path: redact(asked.path),
      query: redact(asked.query),
      headers: hide(asked.headers, redact),
      ...(body === undefined ? {} : { body: redact(Buffer.from(body).toString('latin1')) }),
    },
    response: {
      ...status,
      headers: hide(status.headers, redact) as ApiResponse['headers'],
      ...(answered === undefined ? {} : { text: redact(answered.text) }),
    },
  };
  return printJson(written);
}

/** The entry of another process; `undefined` if it is this one's own. */
export function readEntry(text: string, me: string, contract: Contract): JournalEntry | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return undefined;
  const { by, exchange, request, response } = parsed.value as Written;
  if (by === me) return undefined;
  const { body, ...asked } = request;
  const { text: answered, ...status } = response;
  return {
    exchange,
    operation: contract.operations.find(({ id }) => id === exchange.operationId),
    request: { ...asked, body: body === undefined ? undefined : Buffer.from(body, 'latin1') },
    response: { ...status, body: answered === undefined ? undefined : { value: valueOf(answered), text: answered } },
  };
}

function valueOf(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

function hide(headers: RequestHeaders, redact: (text: string) => string): RequestHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined ? undefined : isSecretName(name) ? PLACEHOLDER : redact(value),
    ]),
  );
}
