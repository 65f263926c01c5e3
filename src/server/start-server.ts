import type { World } from '../mock/world.js';
import { listen, type Listening } from './listen.js';
import { createListener } from './listener.js';
import type { ServingOptions } from './middleware.js';

export interface ServerOptions extends ServingOptions {
  host: string;
  port: number;
}

/** Puts a world on a port. */
export function startServer(world: World, options: ServerOptions): Promise<Listening> {
  return listen(createListener(world, options), options);
}
