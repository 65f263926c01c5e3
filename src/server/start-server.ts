import { tellUnreadable } from '../mock/world/record-exchange.js';
import type { Worlds } from '../mock/world/worlds.js';
import { isLoopbackHost } from './admin/guard.js';
import { listen, type Listening, type ListenOptions } from './http/listen.js';
import { createListener } from './http/listener.js';
import type { ServingOptions } from './http/middleware.js';

export interface ServerOptions extends Pick<ServingOptions, 'cors'>, Pick<ListenOptions, 'patience'> {
  host: string;
  port: number;
  /** Default: `true`. */
  admin?: boolean | undefined;
  /** Default: none, then the admin API answers on loopback alone. */
  adminToken?: string | undefined;
}

/** Puts worlds on a port. */
export function startServer(worlds: Worlds, options: ServerOptions): Promise<Listening> {
  const { cors, admin = true, adminToken, host } = options;
  const access = { enabled: admin, token: adminToken, loopback: isLoopbackHost(host) };
  return listen(createListener(worlds, { cors, admin: access }), {
    ...options,
    onUnreadable: (refusal, request) => tellUnreadable(refusal, request ?? {}, worlds.default),
  });
}
