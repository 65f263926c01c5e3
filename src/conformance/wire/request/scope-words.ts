// What the words of scopes suggest. OAuth leaves to the service whether one scope includes another (RFC 6749 section 3.3).

/** Names of scopes that include all others, or all of a kind. */
const WIDE =
  /(?:^|[^a-z])(?:admin|administrator|all|any|full|full_?access|manage|manager|owner|root|super|superuser)(?:$|[^a-z])|\*/i;

const READING = new Set(['read', 'reader', 'readonly', 'view', 'viewer', 'get', 'list', 'browse', 'see', 'fetch']);

/** Whether a service may take a token with one scope for one with another: `write:orders` for `read:orders`. */
export function mayImply(scope: string, needed: string): boolean {
  if (scope === needed || WIDE.test(scope) || isPart(scope, needed)) return true;
  const [own, wanted] = [readWords(scope), readWords(needed)];
  const isOfIt = own.subject === '' || `${wanted.subject} `.startsWith(`${own.subject} `);
  return isOfIt && (!own.reads || wanted.reads);
}

/** `repo` includes `repo:status`, and `orders` includes `orders.read`. */
function isPart(scope: string, needed: string): boolean {
  return needed.length > scope.length && needed.startsWith(scope) && /[^a-z\d]/i.test(needed.charAt(scope.length));
}

interface ScopeWords {
  /** Whether it allows nothing but to read. */
  reads: boolean;
  /** Its words without the verb. */
  subject: string;
}

const VERBS = new Set([
  ...READING,
  'write',
  'writer',
  'edit',
  'editor',
  'create',
  'update',
  'delete',
  'remove',
  'modify',
  'readwrite',
  'rw',
]);

function readWords(scope: string): ScopeWords {
  const words = scope
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const verbs = words.filter((word) => VERBS.has(word));
  return {
    reads: verbs.length > 0 && verbs.every((word) => READING.has(word)),
    subject: words.filter((word) => !VERBS.has(word)).join(' '),
  };
}
