import { tellUnreadable } from '../mock/world/record-exchange.js';
import type { Worlds } from '../mock/world/worlds.js';
import { isLoopbackHost } from './admin/guard.js';
import { listen, type Listening, type ListenOptions } from './http/listen.js';
import { createListener, type Listener } from './http/listener.js';
import type { ServingOptions } from './http/middleware.js';

export interface ServerOptions
  extends Pick<ServingOptions, 'cors' | 'news' | 'openTools'>, Pick<ListenOptions, 'patience'> {
  host: string;
  port: number;
  /** Default: `true`. */
  admin?: boolean | undefined;
  /** Default: none; the admin API then answers only on loopback. */
  adminToken?: string | undefined;
}

/** Worlds on a port. */
export interface Serving extends Listening {
  /** Replaces the worlds. Exchanges under way end in the worlds in which they began. */
  serve(worlds: Worlds): void;
}

/** Serves worlds on a port. */
export async function startServer(first: Worlds, options: ServerOptions): Promise<Serving> {
  const { cors, admin = true, adminToken, host, news, openTools } = options;
  const access = { enabled: admin, token: adminToken, loopback: isLoopbackHost(host) };
  const listenFor = (worlds: Worlds): Listener => createListener(worlds, { cors, admin: access, news, openTools });
  let worlds = first;
  let listener = listenFor(first);
  const listening = await listen((request, response) => listener(request, response), {
    ...options,
    onUnreadable: (refusal, request) => tellUnreadable(refusal, request ?? {}, worlds.default),
  });
  const serve = (others: Worlds): void => {
    worlds = others;
    listener = listenFor(others);
  };
  return Object.assign(listening, { serve });
}
