import { PetstoreMockError } from '../../../errors.js';

/** The releases that a run can be as of, oldest first, each with the seed of what is drawn from grammars; the first one drew nothing. */
export const RELEASES: readonly { version: string; seed: number | undefined }[] = [
  { version: '1.0.0', seed: undefined },
  { version: '1.1.0', seed: 1 },
];

/** What a run asks as of a release: its own kinds of requests, and those before it. */
export interface AsOf {
  version: string;
  seed: number | undefined;
  /** Whether there was something by then that has come with a version. */
  has: (since: string | undefined) => boolean;
}

/** The latest release by default. Throws a {@link PetstoreMockError} for one that is not known. */
export function readAsOf(version: string | undefined, releases = RELEASES): AsOf {
  const index = version === undefined ? releases.length - 1 : releases.findIndex((each) => each.version === version);
  const found = releases[index];
  if (found === undefined) {
    const known = releases.map((each) => each.version).join(', ');
    throw new PetstoreMockError(
      'bad-option',
      `--as-of must be a release that this version knows (${known}), not ${version}.`,
    );
  }
  const until = new Set(releases.slice(0, index + 1).map((each) => each.version));
  return { ...found, has: (since) => since === undefined || until.has(since) };
}
