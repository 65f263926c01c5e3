import { execPath } from 'node:process';
import { packageFile } from '../../package-files.js';
import { loadChildProcess } from '../document/load-when-needed.js';
import { LONGEST, PATIENCE_MS, type Fetched, type FetchOptions } from './fetched.js';

/** Reads the document at a URL, while the caller waits. */
export type RemoteReader = (url: string) => Fetched;

/** The input of the program that fetches, as JSON. */
export interface FetchOrder {
  url: string;
  options: Omit<FetchOptions, 'lookup' | 'findProxy'>;
}

const PROGRAM = 'dist/cli/fetch-document.js';
/** The time for all documents together. */
const PATIENCE_FOR_ALL_MS = 60_000;
const MOST_DOCUMENTS = 200;
/** A program of Node's starts in less time. */
const START_MS = 5000;

/**
 * A reader of remote documents for one contract. Contracts are read synchronously, even where nobody can wait for a
 * promise (`createPetstoreApp`), but the network is asynchronous: so a separate program fetches.
 */
export function createRemoteReader(options: FetchOrder['options'] = {}): RemoteReader {
  let left = PATIENCE_FOR_ALL_MS;
  let asked = 0;
  return (url) => {
    asked += 1;
    if (asked > MOST_DOCUMENTS)
      return { why: `is not fetched: a document may refer to at most ${MOST_DOCUMENTS} URLs` };
    if (left <= 0)
      return { why: `is not fetched: the timeout of ${PATIENCE_FOR_ALL_MS / 1000} seconds for all documents is over` };
    const started = performance.now();
    const fetched = runProgram({
      url,
      options: { ...options, timeout: Math.min(left, options.timeout ?? PATIENCE_MS) },
    });
    left -= performance.now() - started;
    return fetched;
  };
}

function runProgram(order: FetchOrder): Fetched {
  const { stdout, status } = loadChildProcess().spawnSync(execPath, [packageFile(PROGRAM)], {
    input: JSON.stringify(order),
    encoding: 'utf8',
    timeout: (order.options.timeout ?? PATIENCE_MS) + START_MS,
    // JSON writes some characters as six.
    maxBuffer: 6 * LONGEST + 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  return status === 0 ? (JSON.parse(stdout) as Fetched) : { why: 'cannot be fetched: the fetching process failed' };
}
