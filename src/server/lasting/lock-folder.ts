import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { PetstoreMockError } from '../../errors.js';

/**
 * Makes a folder this process's own until it ends, however it ends: it listens on a socket in the folder, which nobody
 * else can do meanwhile. Returns how to give it back. Rejects with a `PetstoreMockError` (`data-in-use`).
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const turn = 1 + Math.max(0, ...listTurns(folder));
  const address = socketOf(folder);
  if (await isAlive(address)) throw inUse(folder);
  // Of two that start at once, one creates the file; whoever has a lower turn than another in the folder gives up.
  takeTurn(folder, turn);
  const server = (await listenAt(address, { replaces: true })) ?? (await listenElsewhere(folder));
  if (server === undefined) throw inUse(folder);
  if (Math.max(...listTurns(folder)) > turn) {
    await closeServer(server);
    throw inUse(folder);
  }
  for (const each of listTurns(folder)) if (each < turn) rmSync(turnFile(folder, each), { force: true });
  server.unref();
  return () => closeServer(server);
}

const TURN = /^turn-(\d+)$/;

function listTurns(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const [, turn] = TURN.exec(name) ?? [];
    return turn === undefined ? [] : [Number(turn)];
  });
}

function turnFile(folder: string, turn: number): string {
  return join(folder, `turn-${turn}`);
}

function takeTurn(folder: string, turn: number): void {
  try {
    closeSync(openSync(turnFile(folder, turn), 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(folder);
    throw error;
  }
}

function inUse(folder: string): PetstoreMockError {
  return new PetstoreMockError(
    'data-in-use',
    `another mock keeps its data in ${folder}; stop it, or name another folder with --data.`,
  );
}

/** The longest path of a socket that every system has. */
const MOST_OF_A_PATH = 100;

function socketOf(folder: string): string {
  const path = join(realpathSync(folder), 'in-use');
  if (sep === '\\') return `\\\\.\\pipe\\petstore-mock-${digest(path)}`;
  return path.length <= MOST_OF_A_PATH ? path : elsewhere(folder);
}

/** Some file systems have no sockets. */
function elsewhere(folder: string): string {
  return join(tmpdir(), `petstore-mock-${digest(realpathSync(folder))}`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function isAlive(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const end = (alive: boolean): void => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => end(true)).once('error', ({ code }: NodeJS.ErrnoException) => end(code === 'EAGAIN'));
  });
}

/** Listens; what a dead process left is replaced. `undefined` if another process listens. Rejects if there can be no socket. */
async function listenAt(address: string, { replaces }: { replaces: boolean }): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve).listen(address, () => resolve(undefined));
  });
  if (error === undefined) return server;
  if (error.code !== 'EADDRINUSE') throw error;
  if (!replaces || (await isAlive(address))) return undefined;
  rmSync(address, { force: true });
  return listenAt(address, { replaces: false });
}

async function listenElsewhere(folder: string): Promise<Server | undefined> {
  return socketOf(folder) === elsewhere(folder) ? undefined : listenAt(elsewhere(folder), { replaces: true });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
