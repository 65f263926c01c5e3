import { tellUnreadable } from '../mock/world/record-exchange.js';
import type { Worlds } from '../mock/world/worlds.js';
import { isLoopbackHost } from './admin/guard.js';
import { listen, type Listening, type ListenOptions } from './http/listen.js';
import { createListener, type Listener } from './http/listener.js';
import type { ServingOptions } from './http/middleware.js';

export interface ServerOptions extends Pick<ServingOptions, 'cors' | 'news'>, Pick<ListenOptions, 'patience'> {
  host: string;
  port: number;
  /** Default: `true`. */
  admin?: boolean | undefined;
  /** Default: none, then the admin API answers on loopback alone. */
  adminToken?: string | undefined;
}

/** Worlds on a port. */
export interface Serving extends Listening {
  /** Puts other worlds in their place. What is under way ends in those that it began in. */
  serve(worlds: Worlds): void;
}

/** Puts worlds on a port. */
export async function startServer(first: Worlds, options: ServerOptions): Promise<Serving> {
  const { cors, admin = true, adminToken, host, news } = options;
  const access = { enabled: admin, token: adminToken, loopback: isLoopbackHost(host) };
  const listenFor = (worlds: Worlds): Listener => createListener(worlds, { cors, admin: access, news });
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
