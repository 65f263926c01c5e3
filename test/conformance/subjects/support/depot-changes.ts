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
  ['scope-409:list', 'scope[list-without', /^findParcels answers 409 instead of 403$/],
];

/** What the contract leaves to the service: none of it is a problem. */
export const SCOPE_VARIANTS: readonly string[] = ['hides', 'all-401', 'write-includes-read'];
