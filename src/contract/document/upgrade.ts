import { createSource, type SourceDocument } from './document.js';
import { loadUpgrader } from './load-when-needed.js';

/** Where OpenAPI 3 has the parts that Swagger 2.0 has elsewhere. */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['/components/schemas', '/definitions'],
  ['/components/responses', '/responses'],
  ['/components/parameters', '/parameters'],
  ['/components/securitySchemes', '/securityDefinitions'],
];

/** A Swagger 2.0 document as OpenAPI 3.0; each value keeps the place of its origin. */
export function upgradeSwagger(document: SourceDocument): SourceDocument {
  const root = loadUpgrader().upgradeFromTwoToThree(beginBasePath(document.root ?? {}));
  return createSource(document.file, root, (pointer) => {
    const [from, to] = MOVED.find(([begin]) => pointer.startsWith(begin)) ?? ['', ''];
    return document.placeOf(to + pointer.slice(from.length));
  });
}

/** The upgrade puts host and base path side by side: `api.example.com` and `v1` would be one host. */
function beginBasePath(root: object): object {
  const { host, basePath } = root as { host?: unknown; basePath?: unknown };
  if (typeof host !== 'string' || typeof basePath !== 'string' || !/^[^/]/.test(basePath)) return root;
  return { ...root, basePath: `/${basePath}` };
}
