/** What the headline of a mutant's problem says, by the family that its id tells; the first that fits counts. */
const HEADLINES: readonly (readonly [id: RegExp, headline: RegExp])[] = [
  [/^first-member-is/, /rejects with 400/],
  [/^wide-names-are-one$/, /[Nn]ame|^One key/],
  [/-before-key$|^bad-key-(?:40\d|redirected)|^(?:missing|wrong)-key-40\d/, /instead of 401/],
  [/^bad-key-200$|^errors-at-200$|-error-200$|^create-invalid-200$/, /with an Error body/],
  [/-drops-status$/, /`status`/],
  [/^create-(?:accepts-|ignores-unknown)/, /^createPet accepts /],
  [/^error-status|-says-\d+$/, /`status` in the Error body|The Error body/],
  [/filter-value-unread/, /^listPets rejects with 400 what the contract allows for \d+ of \d+ requests$/],
  [/parameter-name-unread/, /`status`/],
  [/field-names-compared|refusal-sticks/, /rejects? a valid key with 401/],
  [/-unescaped$/, /not JSON/],
  [/-500$|-breaks$|-crash/, /fails? with 5\d\d/],
  [
    /^(?:401|400|404)-(?:without-body)|^errors-without-body|^second-404-without-body|-empty-body$/,
    /no body|instead of 404/,
  ],
  [/-labelled-/, /said to be/],
  [/^body-as-text-of-json$/, /returns? text, not/],
  [/^body-utf8-twice$/, /^`name` is not as it was sent/],
  [/^body-(?:shorter|without-last)/, /no complete response/],
  [/^(?:429|503)-|^body-|-html$|-text$(?<!as-text)(?<!id-text)/, /not JSON|no body|said to be|instead of/],
  [/^error-(?:code|message)|^40\d-(?:lists|without|code|message)|-problem-json-shape/, /The Error body/],
  [/key-.*accepted|key-(?:case|prefix|truncated)|-scheme-accepted|-tokens?-accepted|needs?-no-key/, /key/],
  [/^create-(?:200|202)$|^third-create-200$/, /createPet returns 20[02] instead of 201/],
  [
    /^filter-(?:ignored|not-in|read-only|negated|leaks|includes)/,
    /^The filter by `status` of listPets returns records that do not match/,
  ],
  [/^get-id-rounded$/, /^getPet returns another record/],
  [/^ids-rounded-in-lists$/, /twice in the pages of listPets/],
  [/rounded/, /^`categoryId` (?:is not as it was sent|of a record is a number)/],
  [/^default-limit-1\d$/, /fewer records than requested/],
  [/^default-limit|^limit-(?:ignored|per-status|one-more)/, /more records than its limit/],
  [/id-as-text|id-text/, /`id` of a record is text/],
  [/category-as-text/, /`categoryId` of a record is text/],
  [/^list-repeats|^filter-repeats|^list-one-id/, /^A record appears twice in the pages of listPets/],
  [
    /reuses-id|create-id-repeats|share-an-id|create-id-race|create-same-name-once/,
    /^One key is given to several records/,
  ],
  [/-still-stored$|-draft$|-stored-nameless$/, /rejected record is stored/],
  [/(?:^|-)names?(?:-|$)/, /[Nn]ame/],
];

/** Any headline will do for a mutant of no family, as long as it is a sentence of its own. */
export function expectedHeadline(id: string): RegExp {
  return HEADLINES.find(([pattern]) => pattern.test(id))?.[1] ?? /^(?!.*: expected )/;
}
