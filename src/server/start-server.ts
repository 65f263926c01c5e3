import type { Worlds } from '../mock/worlds.js';
import { listen, type Listening } from './listen.js';
import { createListener } from './listener.js';
import type { ServingOptions } from './middleware.js';

export interface ServerOptions extends ServingOptions {
  host: string;
  port: number;
}

/** Puts worlds on a port. */
export function startServer(worlds: Worlds, options: ServerOptions): Promise<Listening> {
  return listen(createListener(worlds, options), options);
}
