/** One defect each, with the scenarios that are about it, one of which must find it, and what its headline says. */
export const ROOMS_MUTANTS: Readonly<Record<string, readonly [about: string, headline: RegExp]>> = {
  'no-key:DELETE:rooms': ['rooms/refusals/credentials-of-changes', /key is not checked: rooms_destroy/],
  'no-key:POST:bookings': ['bookings/refusals/credentials', /key is not checked: bookings_create/],
  'no-key:DELETE:bookings': ['bookings/refusals/credentials-of-changes', /key is not checked: bookings_cancel/],
  'floor-ignored': ['rooms/lists/filter', /filter by `floor`/],
  'pages-overlap': ['rooms/lists/pages', /twice in the pages of rooms_index/],
  'total-of-page': ['rooms/lists/total', /says that there are \d+ records/],
  'maximum-refused': ['rooms/lists/limit-at-bounds[50]', /rejects with 422 what the contract allows with per_page=50/],
  'default-20': ['rooms/lists/default-limit', /more records than its limit/],
  'sort-crashes': ['rooms/lists/named-value[sort--capacity]', /rooms_index fails with 500 with sort=-capacity/],
  'default-capacity-1': ['rooms/records/defaults', /`capacity` is 1 .* not its default 4/],
  'tag-fixed': ['rooms/requests/', /./],
  'conditions-ignored': ['rooms/requests/replace-if-match', /200 instead of 412/],
  'unchecked:PUT': ['rooms/refusals/replace', /rooms_replace/],
  'unchecked:PATCH': ['rooms/refusals/update', /rooms_update/],
  'unchecked:bookings': ['bookings/refusals/create', /bookings_create/],
  'replace-merges': ['rooms/changes/replace-whole', /A replacement without `(?:capacity|features)`/],
  'replace-unknown-200': ['rooms/changes/replace-unknown', /rooms_replace returns 200 instead of 404/],
  'update-unknown-crashes': ['rooms/changes/update-unknown', /rooms_update fails with 500/],
  'update-clears-contact': ['rooms/changes/update', /`contact` is not as it was sent/],
  'change-lost:PUT': ['rooms/changes/replace', /not as (?:it was|they were) sent/],
  'change-lost:PATCH': ['rooms/changes/update', /not as (?:it was|they were) sent/],
  'removal-forgotten': ['rooms/changes/remove', /^A deleted record is still in responses/],
  'leaks-bookings': ['bookings/parents/apart', /in a collection to which it does not belong/],
  'minutes-off': ['bookings/records', /`minutes`/],
  'booking-lost': ['bookings/records/get', /booking/],
  'unknown-booking-400': ['bookings/records/unknown', /bookings_show returns 400 instead of 404/],
  'cancels-nothing': ['bookings/changes/remove', /^A deleted record is still in responses/],
};

/** What the contract leaves to the service: none of it is a problem. */
export const ROOMS_VARIANTS: readonly string[] = ['empty', 'keeps-bookings'];
