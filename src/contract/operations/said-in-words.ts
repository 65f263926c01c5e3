// What a contract says in sentences alone. It may excuse what names and schemas would forbid; of one thing alone it says what the
// schemas cannot, that a value is only one record's.
import { asObject, asText } from '../document/plain.js';
import type { SourceDocument } from '../document/document.js';
import { resolveAt } from '../document/references.js';
import type { Parameter } from '../model.js';

type Described = Readonly<Record<string, unknown>>;

const listSaid = ({ pointer, schema }: Parameter, document: SourceDocument): Described[] => [
  asObject(resolveAt(document, pointer).value),
  schema,
];

/** Whether a `PUT` changes what it names and leaves the rest: `Fields that are left out stay as they are.` */
export const saysLeft = (said: Described): boolean =>
  saysKept(said) || /\bmodif/i.test(`${String(said['summary'])}. ${String(said['description'])}`);

/** The same, but not of one that is only said to modify. */
export function saysKept({ summary, description }: Described): boolean {
  const sentences = `${String(summary)}. ${String(description)}`.split(/[.;!?]+/);
  return sentences.some(
    (each) =>
      (STAYS.test(each) && (!each.includes('`') || OF_UNNAMED.test(each))) || (LEFT_OUT.test(each) && !GOES.test(each)),
  );
}

const OF_UNNAMED =
  /\b(?:fields?|propert\w+|attributes?|values?|others?|rest|what|those|not|partial\w*|merge\w*|modif\w*|only)\b/i;

const STAYS = /\b(?:left (?:as|alone)|un(?:changed|touched|affected)|stays?\b|keeps?\b|kept|merge|partial)/i;
const LEFT_OUT = /\b(?:left out|omit)/i;
const GOES = /\b(?:remov|delet|clear|reset|default|null|empt|drop|discard|gone|lost|unset)/i;

/** Whether a rejection is said to be for the state that a record is in: `The order is already paid.`, `No such transition.` */
export function saysOfState({ description }: Described): boolean {
  const ofState =
    /\b(?:states?|status(?:es)?|transitions?|already|no longer|not (?:yet|in draft|active|open)|locked|closed|archived|paid|shipped|in use)\b/i;
  return ofState.test(asText(description) ?? '');
}

/** Whether an operation is said to replace: `Replaces a site.`, `replaceOrder`. */
export const saysReplaced = (id: string, { summary, description }: Described): boolean =>
  /replac|overwrit|swap|\b(?:whole|entire|complete(?:ly)?|full)\b/i.test([id, summary, description].join(' '));

/** Whether an operation is said to update, which may be to replace or to merge: `Update a user.`, `updateUser`. */
export function saysUpdated(id: string, said: Described): boolean {
  const { summary, description } = said;
  const isSaid = /(?:^|[\s_.-])(?:updat|modif|edit|chang|sav)/i.test([id, summary, description].join(' '));
  return isSaid && !saysReplaced(id, said);
}

/** Whether an operation is one that creates: `Create a single user.`, `createUser`. */
export function saysCreated(id: string, { summary, description }: Described): boolean {
  const [first = ''] = (asText(summary) ?? asText(description) ?? '').split(/[.;!?]/);
  return /^create(?![a-z])/.test(id) || /\b(?:creat(?:es?|ing|ion)|registers?)\b/i.test(first);
}

/** Whether an operation is said to need no credentials: `This endpoint is not authenticated.`, `No authentication required.` */
export function saysUnauthenticated({ summary, description }: Described): boolean {
  const says =
    /\b(?:endpoint|operation|route|request|method|call|path|it|this) (?:is|are) (?:not authenticated|unauthenticated)\b|\bno (?:authentication|authorization|credentials)(?: is| are)? (?:needed|required|necessary)\b|\b(?:does not|doesn't|need not|not) (?:need|require) (?:any )?(?:authentication|authorization|credentials)\b/i;
  return says.test([summary, description].join('. '));
}

/** Whether an operation is said to be there only in the document: `NOT IMPLEMENTED`, `This endpoint is not implemented yet.` */
export function saysUnimplemented({ summary, description }: Described): boolean {
  const says =
    /^\W*(?:(?:this|the) (?:endpoint|operation|route|method|call|feature) is )?(?:not (?:yet |currently )?|un)implemented\b/i;
  return [summary, description].some((text) => says.test(asText(text) ?? ''));
}

/** Whether a `PUT` creates what is not there yet: `Create or update an alias.`, `Add / update a route`, `upsertAlias`. */
export const saysUpserted = (id: string, { summary, description }: Described): boolean =>
  UPSERTS.test([id, summary, description].join('. '));

const UPSERTS =
  /upsert|\b(?:creat\w*|adds?)(?: \w+){0,2}(?: or | ?\/ ?| and )(?:\w+ )?(?:updat|replac|overwrit|modif)|\b(?:updat|replac|overwrit|modif)\w*(?: \w+){0,2}(?: or |\/)(?:\w+ )?creat|\bcreat\w*(?: \w+){0,4} (?:if|when|unless)(?: \w+){0,3} (?:not|exists?|missing|absent|none)\b|\b(?:does not|doesn't|do not) exist\b[^.]*\bcreat/i;

export const saysExpires = (text: string): boolean =>
  /expir|\bttl|time.?to.?live|lifetime|valid.?(?:until|to|for)\b|max.?age|retention/i.test(text);

export function saysTidied({ description }: Described): boolean {
  const says =
    /\b(?:(?:lower|upper)[- ]?cased?|capitali[sz]\w*|trim(?:med|s)?|stripped|squeezed|collapsed?|normali[sz]ed?|canonical\w*|dedup\w*|duplicates?)\b/i;
  return says.test(asText(description) ?? '');
}

/** Whether the service alone decides a value: `Assigned by the server.`, `Set to "Zone"`; not `generated by the server if left out`. */
export function saysAssigned({ description }: Described): boolean {
  if (typeof description !== 'string') return false;
  const sentences = description.split(/[.;!?]+/);
  return SET_TO.test(description.trim()) || sentences.some((each) => ASSIGNS.test(each) && !OPTIONAL.test(each));
}

const ASSIGNS =
  /\b(?:assigned|generated|set|computed|calculated|maintained|determined|populated)(?: automatically)? by (?:the )?(?:server|service|system|api|back-?end|database)\b|\bread[- ]only\b|\bauto(?:matically)?[- ](?:assigned|generated|incremented|computed|calculated)\b/i;
const SET_TO = /^(?:always )?set to (["'`“‘])[^"'`”’]+["'`”’]\.?$/i;
const OPTIONAL = /\b(?:if|unless|when|where|default|otherwise|can|may|once|after)\b/i;

/** Whether a value of a parameter that the contract does not allow is not refused. */
export const isTolerant = (parameter: Parameter, document: SourceDocument): boolean =>
  listSaid(parameter, document).some(saysTolerated);

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

/** Whether a boolean parameter adds fields or records and selects none: `Whether to include the "dnssec" fields`, `simulated ones are returned as well`. */
export function saysAdded(parameter: Parameter, document: SourceDocument): boolean {
  if (!parameter.shape.types.includes('boolean')) return false;
  const said = listSaid(parameter, document).map(({ description }) => asText(description) ?? '');
  return said.some((text) =>
    text.split(/[.;!?]+/).some((each) => (SHOWS.test(each) || ADDS.test(each)) && !SELECTS.test(each)),
  );
}

const SHOWS =
  /\b(?:includ|show|embed|expand|omit|exclud|hid)\w*\b.*\b(?:fields?|propert(?:y|ies)|attributes?|members?)\b/i;
const ADDS =
  /\b(?:includ|return|show|list)\w*\b.*\b(?:as well|also|too|in addition)\b|\balso\b.*\b(?:includ|return|show|list)|^(?:whether to )?includes?\b/i;
const SELECTS = /\b(?:only|whose|which|with|having|matching|where)\b/i;

export type SaidRelation = 'from' | 'to' | 'after' | 'before' | 'like';

/** The comparison of a filter that is called like what it compares. */
export function relationOf(parameter: Parameter, document: SourceDocument): SaidRelation | undefined {
  return listSaid(parameter, document)
    .map(saidRelation)
    .find((each) => each !== undefined);
}

/** `Only those whose day is this or later.` What may be said of anything else, such as `since version 2`, compares nothing. */
export function saidRelation({ description }: Described): SaidRelation | undefined {
  if (typeof description !== 'string') return undefined;
  const said = COMPARISONS.filter(([, words]) => words.test(description));
  return said.length === 1 ? said[0]?.[0] : undefined;
}

const GIVEN = String.raw`(?:this|that|the given|the value)\b`;
const COMPARISONS: readonly (readonly [SaidRelation, RegExp])[] = [
  [
    'from',
    new RegExp(
      String.raw`\b(?:on or after|at least|no less than)\b|(?<!\bone )\bor (?:later|after|more|greater|newer|higher|above|longer)\b|\b(?:not (?:before|below|under)|since) ${GIVEN}`,
      'i',
    ),
  ],
  [
    'to',
    new RegExp(
      String.raw`\b(?:on or before|at most|no more than)\b|\bor (?:earlier|before|less|fewer|older|lower|below|smaller|shorter)\b|\b(?:not (?:after|above|over)|until|up to) ${GIVEN}`,
      'i',
    ),
  ],
  ['after', new RegExp(String.raw`(?<!\bnot |\bor )\b(?:after|(?:later|greater|newer) than) ${GIVEN}`, 'i')],
  ['before', new RegExp(String.raw`(?<!\bnot |\bor )\b(?:before|(?:earlier|less|older) than) ${GIVEN}`, 'i')],
  // What a text begins with is a part of it, though not every part is that.
  ['like', /\b(?:contain(?:s|ing)?|part of|substring|(?:begin|start)(?:s|ning|ing)? with|prefix)\b/i],
];

/** Whether it depends on something else in the record which values a field has: `More than 0 for `receipt`.` */
export function saysDependent({ description }: Described, others: ReadonlySet<string>): boolean {
  if (typeof description !== 'string') return false;
  return [...description.matchAll(/[`'"]([^`'"\n]{1,60})[`'"]/g)].some(([, named = '']) => others.has(named));
}

/** `email` of `Another customer has this e-mail address.` `It exists already.` names none: a guess accuses nobody. */
export function listUnique({ description }: Described, fields: readonly string[]): string[] {
  if (typeof description !== 'string' || !UNIQUE.test(description) || OF_A_REQUEST.test(description)) return [];
  const words =
    description
      .toLowerCase()
      .replaceAll('-', '')
      .match(/[a-z0-9]+/g) ?? [];
  const named = new Set([...words, ...words.map((word, index) => word + (words[index + 1] ?? ''))]);
  return fields.filter((field) => named.has(field.toLowerCase().replace(/[^a-z0-9]/g, '')));
}

const UNIQUE =
  /\balready (?:exists?|taken|registered|in use|used|there)\b|\b(?:is taken|in use|duplicates?|not unique|must be unique)\b|\banother (?:\w+ ){0,3}(?:has|with|uses)\b|\bexists already\b/i;
const OF_A_REQUEST = /\bidempoten|\b(?:request|slot|time|stock|state)s?\b/i;

/** Whether a sentence reserves what is done with a record for whoever created it: `Only its owner may delete an order.` */
export function listReserved(text: string): { reads: boolean; changes: boolean } {
  if (!FOR_OWNERS.test(text) || CONDITIONAL.test(text)) return { reads: false, changes: false };
  return { reads: READS.test(text) && !CHANGES.test(text), changes: CHANGES.test(text) };
}

export const saysNeverReused = (text: string): boolean =>
  text.split(/[.!?](?:\s|$)/).some((each) => OF_KEYS.test(each) && NEVER_AGAIN.test(each));

const OF_KEYS = /\b(?:ids?|keys?|identifiers?|numbers?)\b/i;
const NEVER_AGAIN =
  /\b(?:never|not)\b.*\b(?:re-?used?|recycled|again|twice|(?:a )?second time|more than once)\b|\bonly once\b/i;

/** Whether a sentence says that a header field changes nothing: `Cookie, Origin and Upgrade have no influence on a response.` */
export function saysIgnored(sentence: string, field: string): boolean {
  const isNamed = new RegExp(String.raw`\b${field}(?![\w])`).test(sentence) || EVERY_OTHER_FIELD.test(sentence);
  return isNamed && CHANGES_NOTHING.test(sentence) && !/\b(?:unless|except)\b/i.test(sentence);
}

const EVERY_OTHER_FIELD = /\b(?:every|any|all|no) other (?:request |header )+fields?\b/i;
const CHANGES_NOTHING =
  /\b(?:ignored|disregarded|(?:no|without) (?:influence|effect|meaning)|(?:changes?|alters?|affects?|influences?) nothing|do(?:es)? not (?:matter|count|affect|change|influence|depend))\b/i;

/** Whether a sentence says that nobody else sees what is private: `A private note exists for its own key alone.` */
export function saysPrivate(text: string): boolean {
  const isForOwners = FOR_OWNERS.test(text) || HIDDEN_FROM_OTHERS.test(text);
  return /\bprivate\b/i.test(text) && isForOwners && !/\b(?:unless|except|admin\w*)\b/i.test(text);
}

const WHO = '(?:key|user|account|client|tenant|token|caller|credential)s?';
const FOR_OWNERS = new RegExp(
  [
    String.raw`\bown(?: ${WHO}|ers?)? (?:only|alone)\b`,
    String.raw`\b(?:only|solely)(?: (?:by|to|for|the|its|their|his))* (?:own(?:ers?)?|creators?|authors?)\b`,
    String.raw`\b(?:only|solely)(?: (?:by|to|for|with))* the ${WHO} (?:that|who|which|with which) `,
    String.raw`\b(?:owners?|creators?) (?:only|alone)\b`,
  ].join('|'),
  'i',
);
const HIDDEN_FROM_OTHERS = new RegExp(
  String.raw`\b(?:an)?other(?: ${WHO}|s)\b.*\b(?:404|(?:does|do) not exist|not found|not (?:be )?(?:seen?|visible|shown|read))\b`,
  'i',
);
const CHANGES = /\b(?:chang|updat|modif|edit|delet|remov|replac|writ|alter)\w*/i;
const READS = /\b(?:read|seen?|visible|view\w*|listed|shown|retriev\w*|fetch\w*)\b/i;
const CONDITIONAL =
  /\b(?:unless|except|if|when|while|where|private|public|open|shared|draft|admin\w*|may not be|not)\b/i;
