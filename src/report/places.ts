import { isAbsolute, posix } from 'node:path';

/**
 * A file as the repository names it, which is how GitHub looks it up; programs name it from the folder that they run in.
 * A path that is absolute, or a URL, stays as it is.
 */
export function nameInRepository(file: string, folder = ''): string {
  if (isAbsolute(file) || /^https?:/i.test(file)) return file;
  return posix.join(folder, file.replaceAll('\\', '/'));
}

/** The path of a file within `node_modules`; `undefined` for one that does not belong to an installed package. */
export function nameInstalled(file: string): string | undefined {
  return /(?:^|[\\/])(node_modules[\\/].*)$/.exec(file)?.[1]?.replaceAll('\\', '/');
}
