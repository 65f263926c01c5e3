import { PetstoreMockError } from '../../errors.js';
import { bundleFiles } from '../document/bundle.js';
import { parseSource, type SourceDocument } from '../document/document.js';
import { hidePassword, isWebUrl, withoutUser, type Fetched, type FetchedText, type FetchOptions } from './fetched.js';
import { createRemoteReader, type RemoteReader } from './read-remote.js';

/** What may be fetched. */
export interface UrlOptions {
  /** Whether what it refers to at other hosts is fetched. Default: `false`, only what is at its own origin. */
  allowRemoteRefs?: boolean | undefined;
  /** Whether its host may have a private address. Default: `false`. */
  allowPrivateHosts?: boolean | undefined;
}

/** A contract that was fetched, with the documents that it refers to by their URL. */
interface FetchedContract {
  /** With the user and the password, if they were given. */
  url: string;
  findProxy: FetchOptions['findProxy'];
  entry: FetchedText;
  parts: ReadonlyMap<string, Fetched>;
}

/** As fetched last, by the URL without user and password: contracts are read synchronously, and one run reads its contract several times. */
const contracts = new Map<string, FetchedContract>();

const MOST_PARTS = 200;
/** A reference to another document; those within the document itself begin with `#`. */
const REFERENCE = /\$ref["']?\s*:\s*["']?[^#"'\s]/;

/**
 * Fetches the contract at a URL, with the documents that it refers to; the next {@link openContract} reads what came. Says
 * whether it is other than before. Throws a {@link PetstoreMockError} that says why there is none.
 */
export async function fetchContract(
  given: string,
  { allowRemoteRefs, allowPrivateHosts, ...more }: UrlOptions & Pick<FetchOptions, 'findProxy'> = {},
): Promise<boolean> {
  const { fetchDocument } = await import('./fetch-document.js');
  const before = contracts.get(withoutUser(given));
  // What the program was given, the library it calls is not.
  const url = given === withoutUser(given) ? (before?.url ?? given) : given;
  const findProxy = more.findProxy ?? before?.findProxy;
  const own = { url, allowPrivate: allowPrivateHosts };
  const entry = await fetchDocument(url, { own, isEntry: true, known: before?.entry, findProxy });
  if ('why' in entry) throw unreadable(url, entry.why);
  const from = entry.at ?? withoutUser(url);
  const parts = new Map<string, Fetched>();
  for (let isComplete = !REFERENCE.test(entry.text); !isComplete;) {
    const missing = new Set<string>();
    visitReferences(entry, { url, from }, (to) => {
      const part = parts.get(to);
      const isWanted = part === undefined && parts.size + missing.size < MOST_PARTS;
      if (isWanted && (isOfOrigin(to, from) || allowRemoteRefs === true)) missing.add(to);
      return part ?? { why: 'is not fetched' };
    });
    const fetchPart = async (to: string): Promise<void> => {
      const known = before?.parts.get(to);
      const options = known === undefined || 'why' in known ? {} : { known };
      parts.set(to, await fetchDocument(to, isOfOrigin(to, from) ? { ...options, own, findProxy } : options));
    };
    await Promise.all([...missing].map(fetchPart));
    isComplete = missing.size === 0;
  }
  const now = { url, findProxy, entry, parts };
  contracts.set(withoutUser(url), now);
  return before === undefined || writeOut(before) !== writeOut(now);
}

/** Fetches the contract where it is at a URL. Returns the `spec` to go on with, without user and password. */
export async function prepareSpec<Options extends UrlOptions & { spec?: string | undefined }>(
  options: Options,
  findProxy?: FetchOptions['findProxy'],
): Promise<Options['spec']> {
  const { spec } = options;
  if (spec === undefined || !isWebUrl(spec)) return spec;
  if (!URL.canParse(spec)) throw unreadable(spec, 'is not a URL');
  await fetchContract(spec, { ...options, findProxy });
  return withoutUser(spec);
}

/** The contract at a URL as it was fetched last; what was not is fetched now, while the caller waits. */
export function openContract(
  url: string,
  { allowRemoteRefs, allowPrivateHosts }: UrlOptions,
): { entry: SourceDocument; from: string; readRemote: RemoteReader } {
  if (!URL.canParse(url)) throw unreadable(url, 'is not a URL');
  const own = { url, allowPrivate: allowPrivateHosts };
  const known = contracts.get(withoutUser(url));
  const readOwn = createRemoteReader({ own });
  const readOther = createRemoteReader();
  const entry = known?.entry ?? createRemoteReader({ own, isEntry: true })(url);
  if ('why' in entry) throw unreadable(url, entry.why);
  const from = entry.at ?? withoutUser(url);
  const readRemote: RemoteReader = (to) => {
    if (isOfOrigin(to, from)) return known?.parts.get(to) ?? readOwn(to);
    if (allowRemoteRefs !== true)
      return { why: 'is not at the origin of the document; pass --allow-remote-refs to fetch it' };
    return known?.parts.get(to) ?? readOther(to);
  };
  return { entry: parse(entry, url), from, readRemote };
}

function unreadable(url: string, why: string): PetstoreMockError {
  return new PetstoreMockError('unreadable-file', `${hidePassword(url)} ${why}.`);
}

function parse({ text }: FetchedText, url: string): SourceDocument {
  const shownAs = hidePassword(withoutUser(url));
  return parseSource(text, { shownAs, code: 'unusable-contract', kind: 'contract', isTolerant: true });
}

function isOfOrigin(to: string, from: string): boolean {
  return URL.canParse(to) && new URL(to).origin === new URL(from).origin;
}

/** Calls back with each document that a contract refers to. What makes it unusable is reported when it is loaded. */
function visitReferences(
  entry: FetchedText,
  { url, from }: { url: string; from: string },
  readRemote: RemoteReader,
): void {
  try {
    bundleFiles(parse(entry, url), from, { readRemote });
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
  }
}

/** What two contracts are compared by. */
function writeOut({ entry, parts }: FetchedContract): string {
  const texts = [...parts].map(([url, part]) => JSON.stringify([url, 'why' in part ? part.why : part.text]));
  return [entry.text, ...texts.toSorted()].join('\n');
}
