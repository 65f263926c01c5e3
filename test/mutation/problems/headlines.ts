/** What the headline of a mutant's problem says, by the family that its id tells; the first that fits counts. */
const HEADLINES: readonly (readonly [id: RegExp, headline: RegExp])[] = [
  [/-before-key$/, /instead of 401/],
  [/^create-accepts-/, /createPet accepts/],
  [/^error-status/, /`status`/],
  [/parameter-name-unread/, /status filter/],
  [/field-names-compared/, /refuses with 401/],
  [/-unescaped$/, /not JSON/],
  [/-500$|-crash/, /fails? with 5\d\d/],
  [/^(?:401|400|404)-(?:without-body)|^errors-without-body|^second-404-without-body|-empty-body$/, /no body/],
  [/-labelled-/, /said to be/],
  [/^(?:429|503)-|^body-|-html$|-text$(?<!as-text)(?<!id-text)/, /not JSON|no body|said to be/],
  [/^error-status|-status-field|^40\d-status/, /`status`/],
  [/^error-(?:code|message)|^40\d-(?:lists|without|code|message)|-problem-json-shape/, /The Error body/],
  [/^bad-key-(?:40\d|30\d)|before-key$/, /instead of 401/],
  [/^bad-key-200|key-.*accepted|key-(?:case|prefix|truncated)|-scheme-accepted|-tokens?-accepted/, /key/],
  [/^create-accepts-/, /createPet accepts/],
  [/^create-(?:200|202)$|^third-create-200$/, /createPet answers 20[02] instead of 201/],
  [/^filter-(?:ignored|not-in|read-only)/, /status filter/],
  [/rounded/, /past 2\^53 are rounded|One id/],
  [/^default-limit-1/, /fewer pets/],
  [/^default-limit|^limit-(?:ignored|per-status|one-more)/, /too many pets/],
  [/id-as-text|id-text/, /`id` of a pet is text/],
  [/category-as-text/, /`categoryId` of a pet is text/],
  [/reuses-id|id-repeats|share-an-id/, /One id/],
  [/stored$|draft$/, /refused is stored|changes/],
  [/name/, /[Nn]ame/],
];

/** Any headline will do for a mutant of no family, as long as it is a sentence of its own. */
export function expectedHeadline(id: string): RegExp {
  return HEADLINES.find(([pattern]) => pattern.test(id))?.[1] ?? /^(?!.*: expected )/;
}

/** Mutants that come to more than one problem, and why that is right. */
export const severalProblems: Readonly<Record<string, string>> = {};
