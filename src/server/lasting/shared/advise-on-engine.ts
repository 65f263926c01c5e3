import { EngineError, type Engine } from './engine.js';

/** What follows from how the engine is set up, as sentences; nothing where it does not tell. */
export async function adviseOnEngine(engine: Engine): Promise<string[]> {
  const appendOnly = await read('appendonly', engine);
  const policy = await read('maxmemory-policy', engine);
  return [
    ...(appendOnly === 'no'
      ? [
          `${engine.shown} has no append-only file (appendonly no): if it is killed while no replica runs, changes since its last snapshot are lost. Set appendonly yes to store them.`,
        ]
      : []),
    ...(policy?.startsWith('allkeys-') === true
      ? [
          `${engine.shown} may drop what replicas share when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
        ]
      : []),
  ];
}

/** A setting of the engine; `undefined` where asking for it is forbidden. */
async function read(name: string, engine: Engine): Promise<string | undefined> {
  try {
    const [, value] = (await engine.call('CONFIG', 'GET', name)) as string[];
    return value;
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}
