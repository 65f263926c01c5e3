import type { ApiRequest } from '../../contract/message.js';
import { findPreference } from '../request/prefer.js';

/** What a request wants of an answer made from the contract (RFC 7240). */
export interface Wish {
  /** A status. */
  code: number | undefined;
  /** The name of an example. */
  exampleKey: string | undefined;
  /** Whether to generate from the schema even if there are examples. */
  dynamic: boolean;
  /** The same seed generates the same. */
  seed: string;
  /** The client's `Accept`. */
  accept: string | undefined;
  /** The same as a list, for Prism: a client that accepts anything gets JSON if the contract has it. */
  mediaTypes: string[];
}

/** `Prefer: code=`, `example=`, `dynamic=` and `seed=`, as Prism reads them. */
export function readWish(request: ApiRequest, seed: number): Wish {
  const { prefer = '', accept } = request.headers;
  const code = findPreference(prefer, 'code');
  const own = findPreference(prefer, 'seed');
  return {
    code: code === undefined ? undefined : Number(code),
    exampleKey: findPreference(prefer, 'example'),
    dynamic: findPreference(prefer, 'dynamic') === 'true',
    seed: own ?? [seed, request.method, request.path, request.query, textOf(request.body)].join(' '),
    accept,
    mediaTypes: acceptedTypes(accept),
  };
}

function acceptedTypes(accept = '*/*'): string[] {
  return accept.trim() === '*/*' ? ['application/json', '*/*;q=0.5'] : accept.split(',').map((each) => each.trim());
}

function textOf(body: Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString('latin1');
}
