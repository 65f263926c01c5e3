/** One defect each, with the scenarios that are about it, one of which must find it, and what its headline says. */
export const TOOLSHED_MUTANTS: Readonly<Record<string, readonly [about: string, headline: RegExp]>> = {
  // Only for some records: of one level, after so many, of one value, of one kind.
  'patron-loses-newsletter': ['members/records/values', /^`newsletter` is not as it was sent/],
  'tenth-loses-email': ['members/', /^`email` is not as it was sent .* absent/],
  'newsletter-true': ['members/', /^`newsletter` is not as it was sent .* true instead of false$/],
  'default-returned': ['loans/records/', /^`returned` is not as it was sent .* true instead of false$/],
  'fee-rounded': ['tools/records/values[fraction]', /^`daily_fee` is not as it was sent .* instead of 0\.5$/],
  'ladder-as-garden': ['tools/records/values', /^`category` is not as it was sent .* "garden" instead of "ladder"$/],
  'note-cut': ['loans/records/values[highest]', /^`note` is not as it was sent/],
  'due-as-time': ['loans/', /^`due_on` of a record is text .* not a valid date/],
  'get-hides-email': ['members/records/get-full', /^`email` is not as it was sent in responses of fetch_member/],
  'list-stale-fee': ['tools/', /^`daily_fee` is not as it was sent in responses of browse_tools/],
  // Only in the last record of a list, or from the second page on.
  'last-unlike': ['tools/', /^`label` of a record is a number \(7\), not a string, in responses of browse_tools$/],
  'second-page-bare': ['members/', /^`created_at` of a record is missing in responses of browse_members$/],
  'pages-overlap': ['members/lists/pages', /^A record appears twice in the pages of browse_members$/],
  // What no page shows is missing from what the list counts.
  'pages-skip': ['members/lists/total', /^browse_members says that there are \d+ records, and lists \d+$/],
  'total-stale': ['members/lists/total', /^browse_members says that there are \d+ records, and lists \d+$/],
  'total-of-page': ['members/lists/total', /^browse_members says that there are \d+ records, and lists \d+$/],
  'filter-leaks-plus': [
    'members/lists/filter',
    /^The filter by `level` of browse_members returns records that do not match/,
  ],
  'filter-drops-power': [
    'tools/lists/filter',
    /^The filter by `category` of browse_tools leaves out records that match$/,
  ],
  'link-drops-filter': [
    'members/lists/filter-pages',
    /^The filter by `level` of browse_members returns records that do not match from the second page on$/,
  ],
  'later-pages-unfiltered': [
    'tools/lists/filter-pages',
    /^The filter by `\w+` of browse_tools returns records that do not match from the second page on$/,
  ],
  'sort-drops': ['tools/lists/sort[order_by-label', /^A page or a filter of browse_tools lacks a record/],
  'sort-crashes': ['members/lists/', /^browse_members fails with 500 with sort=-joined_on$/],
  // Without a key, a condition or a header field, or with one that is none.
  'no-key:GET:loans': ['loans/refusals/credentials', /^The key is not checked: browse_loans and fetch_loan serve/],
  'no-key-with:after': [
    'members/refusals/credentials-of-pages',
    /^The key is not checked: browse_members serves requests without a key (?:with a after|for \d+ of \d+ requests)$/,
  ],
  'no-key-with:category': [
    'tools/refusals/credentials-of-filters',
    /^The key is not checked: browse_tools serves requests without a key (?:with a category|for \d+ of \d+ requests)$/,
  ],
  'no-key:PATCH:loans': ['loans/refusals/credentials-of-changes', /^The key is not checked: amend_loan serves/],
  'no-key:PATCH:members': ['members/refusals/credentials-of-changes', /^The key is not checked: amend_member serves/],
  'no-key:DELETE:tools': ['tools/refusals/credentials-of-changes', /^The key is not checked: scrap_tool serves/],
  'condition-optional': ['members/refusals/parameter-of-changes', /^amend_member accepts a request without `If-Match`/],
  'stale-taken': [
    'members/requests/update-if-match',
    /^amend_member returns 200 instead of 412 to an If-Match that does not match the record$/,
  ],
  'tag-fixed': ['members/requests/modified-by-update', /304/],
  'counter-optional': ['loans/refusals/parameter', /^lend accepts a request without `X-Counter`/],
  'counter-unchecked': ['loans/refusals/parameter-rule', /^lend accepts `X-Counter` "no-such-value"/],
  'view-unchecked': ['members/refusals/parameter-rule', /^fetch_member accepts `view` "no-such-value"/],
  // What changes and removes does something else.
  'patch-drops-address': ['members/changes/update', /^`address` is not as it was sent .* absent/],
  'patch-null-kept': ['members/changes/merge', /^A merge patch with null does not remove `remarks`/],
  'patch-flat': [
    'members/changes/merge-inside[address]',
    /^A merge patch of a part of `address` loses the rest of it \(members\)$/,
  ],
  'patch-answers-old': ['loans/changes/update', /^`note` is not as it was sent in responses of amend_loan: "old"/],
  'returned-stuck': ['loans/changes/update', /^`returned` is not as it was sent/],
  'created-writable': ['members/changes/read-only[created_at]', /^`created_at`, which is read only,/],
  'put-keeps-serial': ['tools/changes/replace-whole', /^A replacement without `serial_no` does not remove it/],
  'put-new-key': ['tools/changes/replace', /^swap_tool and fetch_tool return another record/],
  'unknown-put-500': ['tools/changes/replace-unknown', /^swap_tool fails with 500 for a record that does not exist$/],
  'removal-forgotten': ['members/changes/remove', /^A deleted record is still in responses/],
  'cancels-nothing': ['loans/changes/remove', /^A deleted record is still in responses/],
  'removes-another': ['tools/', /^A created record is missing/],
  'made-twice': ['tools/records/list', /^One create is stored more than once/],
  'lent-changes-others': ['loans/records/', /^`days` is not as it was sent/],
  // Records of another parent.
  'any-member': [
    'loans/parents/get-apart',
    /^A record is in a collection to which it does not belong, in responses of fetch_loan/,
  ],
  'loans-leak': [
    'loans/parents/apart',
    /^A record is in a collection to which it does not belong, in responses of browse_loans$/,
  ],
  // Rules of the contract that nobody looks at.
  'problem-as-json': ['members/', /application\/problem\+json/],
  'off:LoanInput.days.maximum': ['loans/refusals/create', /^lend accepts `days` 29/],
  'off:LoanChange.days.minimum': ['loans/refusals/update', /^amend_loan accepts `days` 0/],
  'off:MemberChange.full_name.minLength': ['members/refusals/update', /^amend_member accepts `full_name` "x"/],
  'off:ToolInput.accessories.uniqueItems': ['tools/refusals/create', /accepts? `accessories`/],
  'off:ToolInput.daily_fee.multipleOf': ['tools/refusals/create', /accepts? `daily_fee`/],
  'off:ToolInput.serial_no.pattern': ['tools/refusals/create', /accepts? `serial_no` "[A-Z]{2}-\d{6}~"/],
  'off:Address.postcode.pattern': ['members/refusals/create', /^enrol_member accepts `address\/postcode` "\d{4,5}~"/],
};

/** What the contract leaves to the service: none of it is a problem. */
export const TOOLSHED_VARIANTS: readonly string[] = [
  'empty',
  'slow',
  'random-order',
  'extra-fields',
  // Others see what is written a third of a second later.
  'late',
  'huge-ids',
  'gzip',
  // Answers 429 with Retry-After.
  'rate-limit',
  'gone-404',
  'nulls',
  'bounds-exclusive',
  'sort-ignored',
];
