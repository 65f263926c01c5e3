// Every contract document of the repository.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The mock's own admin API is at the base path of these, `/__admin`. */
const OF_ADMIN = /(?:admin|wiremock)\.openapi\.yaml$/;

/** What ships, what the examples use, and what tests describe services with: paths from the root of the project. */
export function listDocuments() {
  return ['spec', 'examples', 'test'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter(
        (path) => /\.openapi\.(?:yaml|json)$/.test(path) && !path.includes('node_modules') && !OF_ADMIN.test(path),
      )
      .map((path) => `${folder}/${path}`)
      .sort(),
  );
}
