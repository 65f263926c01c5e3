// What a contract says in sentences alone. It may excuse what names and schemas would forbid; of one thing alone it says what the
// schemas cannot, that a value is only one record's.

type Described = Readonly<Record<string, unknown>>;

/** Whether a `PUT` changes what it names and leaves the rest: `Fields that are left out stay as they are.` */
export function saysLeft({ summary, description }: Described): boolean {
  const sentences = `${String(summary)}. ${String(description)}`.split(/[.;!?]+/);
  return sentences.some((each) => (STAYS.test(each) && isOfUnnamed(each)) || (LEFT_OUT.test(each) && !GOES.test(each)));
}

/** `id` and `createdAt` stay: what is named says nothing of the others. */
function isOfUnnamed(sentence: string): boolean {
  return !sentence.includes('`') || OF_UNNAMED.test(sentence);
}

const OF_UNNAMED =
  /\b(?:fields?|propert\w+|attributes?|values?|others?|rest|what|those|not|partial\w*|merge\w*|modif\w*|only)\b/i;

const STAYS = /\b(?:left (?:as|alone)|un(?:changed|touched|affected)|stays?\b|keeps?\b|kept|merge|partial|modif)/i;
const LEFT_OUT = /\b(?:left out|omit)/i;
const GOES = /\b(?:remov|delet|clear|reset|default|null|empt|drop|discard|gone|lost|unset)/i;

/** Whether texts are kept in a form of the service's own: `Trimmed, in lower case, without duplicates.` */
export function saysTidied({ description }: Described): boolean {
  return typeof description === 'string' && TIDIES.test(description);
}

const TIDIES =
  /\b(?:(?:lower|upper)[- ]?cased?|capitali[sz]\w*|trim(?:med|s)?|stripped|squeezed|collapsed?|normali[sz]ed?|canonical\w*|dedup\w*|duplicates?)\b/i;

/** Whether a value that cannot be used is not refused: `Unknown values are ignored.`, `More than 50 is cut to that.` */
export function saysTolerated({ description }: Described): boolean {
  if (typeof description !== 'string') return false;
  const sentences = description.split(/[.;!?]+/);
  return sentences.some((each) => CLAMPS.test(each) || (TOLERATES.test(each) && OF_OTHERS.test(each)));
}

const CLAMPS = /\b(?:clamp(?:ed|s)?|capped|(?:cut|lowered|raised) to|falls? back)\b/i;
const TOLERATES = /\b(?:ignored?|counts? as|treated as|taken (?:as|for)|gives?|means?)\b/i;
const OF_OTHERS =
  /\b(?:(?:other|bad|invalid|unknown|unusable|unsupported) values?|values that|any(?:thing|one)? (?:else|other|that)|what cannot)\b/i;

/** The comparison of a filter that is called like what it compares: `Only those whose day is this or later.` */
export function saidRelation({ description }: Described): 'from' | 'to' | 'after' | 'before' | 'like' | undefined {
  if (typeof description !== 'string') return undefined;
  const said = Object.entries(COMPARES).filter(([, words]) => words.test(description));
  const [relation] = said.length === 1 ? (said[0] ?? []) : [];
  return relation as keyof typeof COMPARES | undefined;
}

const COMPARES = {
  from: /\bon or after\b|\bor (?:later|after|more|greater|newer|higher|above|longer)\b|\bat least\b|\bnot (?:before|below|under)\b|\b(?:since|no less than)\b/i,
  to: /\bon or before\b|\bor (?:earlier|before|less|fewer|older|lower|below|smaller|shorter)\b|\bat most\b|\bnot (?:after|above|over)\b|\b(?:until|up to|no more than)\b/i,
  after: /(?<!\bnot |\bon or )\b(?:after|later than|greater than|newer than)\b/i,
  before: /(?<!\bnot |\bon or |\bor )\b(?:before|earlier than|less than|older than)\b/i,
  like: /\b(?:contain(?:s|ing)?|part of|substring|(?:begin|start)(?:s|ning|ing)? with|prefix|partial(?:ly)?)\b/i,
};

/** Whether it depends on something else in the record which values a field has: `More than 0 for `receipt`.` */
export function saysDependent({ description }: Described, others: ReadonlySet<string>): boolean {
  if (typeof description !== 'string') return false;
  return [...description.matchAll(/[`'"]([^`'"\n]{1,60})[`'"]/g)].some(([, named = '']) => others.has(named));
}

/** Whether a refusal is for what another record has: `Another customer has this e-mail address.` */
export function saysUnique({ description }: Described): boolean {
  return typeof description === 'string' && UNIQUE.test(description) && !OF_A_REQUEST.test(description);
}

const UNIQUE =
  /\balready (?:exists?|taken|registered|in use|used|there)\b|\b(?:is taken|in use|duplicates?|not unique|must be unique)\b|\banother (?:\w+ ){0,3}(?:has|with|uses)\b|\bexists already\b/i;
const OF_A_REQUEST = /\bidempoten|\b(?:request|slot|time|stock|state)s?\b/i;
