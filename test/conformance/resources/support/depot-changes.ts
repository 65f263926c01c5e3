/** One defect each, with the scenario that is about it, and what the headline of its one problem says. */
export const SCOPE_MUTANTS: readonly (readonly [mutant: string, about: string, headline: RegExp])[] = [
  ['no-scope:list', 'scope[list-without', /^Scopes are not checked: findParcels serves .* lacks `parcels:read`$/],
  ['no-scope:get', 'scope[get-without', /^Scopes are not checked: readParcel serves .* `parcels:read` and/],
  ['no-scope:create', 'scope[create-without', /^Scopes are not checked: sendParcel serves .* `parcels:write`$/],
  [
    'no-scope:update',
    'scope-of-changes[update-without',
    /^Scopes are not checked: changeParcel .* or `parcels:write`$/,
  ],
  ['any-scope:update', 'scope-of-changes[update-without-parcels:write]', /changeParcel serves .* `parcels:write`$/],
  [
    'no-scope:remove',
    'scope-of-changes[remove-without',
    /^Scopes are not checked: withdrawParcel .* `parcels:withdraw`$/,
  ],
  ['no-scopes', 'scope[list-without', /^Scopes are not checked: findParcels, .* and withdrawParcel serve/],
  ['scope-500:create', 'scope[create-without', /^sendParcel fails with 500 with a token that lacks `parcels:write`$/],
  ['scope-409:list', 'scope[list-without', /^findParcels returns 409 instead of 403$/],
];

/** The same for parameters of the list and fields whose rules are not looked at. */
export const RULE_MUTANTS: readonly (readonly [mutant: string, about: string, headline: RegExp])[] = [
  ['off:carrier.minLength', 'lists/parameter-rule[carrier-that-is-too-short]', /^findParcels accepts `carrier` "xx"/],
  ['off:carrier.maxLength', 'lists/parameter-rule[carrier-that-is-too-long]', /^findParcels accepts `carrier` "x{13}"/],
  ['off:postcode.pattern', 'lists/parameter-rule[postcode-', /^findParcels accepts `postcode` "~ no fit ~"/],
  ['off:owner.format', 'lists/parameter-rule[owner-', /^findParcels accepts `owner` "no-uuid"/],
  ['off:contact.format', 'lists/parameter-rule[contact-', /^findParcels accepts `contact` "nobody"/],
  ['off:label.format', 'lists/parameter-rule[label-', /^findParcels accepts `label` "no uri"/],
  ['off:scanner.format', 'lists/parameter-rule[scanner-', /^findParcels accepts `scanner` "no-address"/],
  ['off:state.enum', 'lists/parameter-rule[state-', /^findParcels accepts `state\/0` "no-such-value"/],
  ['off:day.format', 'lists/invalid-parameter[day-', /^findParcels accepts `day` "no-such-value"/],
  ['off:weight[gte].maximum', 'lists/invalid-parameter[weight[gte]-901]', /^findParcels accepts `weight\[gte\]` 901/],
  ['off:body.label', 'refusals/create[label-that-is-no-URI]', /accepts? `label` "no uri"/],
  ['off:body.scanner', 'refusals/create[scanner-that-is-no-IPv4-address]', /accepts? `scanner` "no-address"/],
];

/** What the contract leaves to the service: none of it is a problem. */
export const DEPOT_VARIANTS: readonly string[] = [
  'hides',
  'all-401',
  'write-includes-read',
  'empty-is-none',
  // Nobody has that name.
  'refuses-unknown-owners',
];
