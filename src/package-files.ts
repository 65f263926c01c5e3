import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);

/** The path of a file that ships with this package, such as `spec/petstore.openapi.yaml`. */
export function packageFile(name: string): string {
  return fileURLToPath(new URL(name, root));
}

/** The names of the files in a folder that ships with this package. */
export function listPackageFolder(folder: string): string[] {
  return readdirSync(packageFile(folder)).sort();
}

/** This package's version, as `package.json` gives it. */
export function readPackageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}
