import type { Contract } from '../../../contract/contract.js';
import type { ConformanceOptions } from '../../model/options.js';
import { asksForCredentials, asksNowhere, describeUnasked } from './choose-security.js';

/** The key of a run without a given key. */
export const TRIED_DEFAULT_KEY =
  "no API key was given, so the mock's documented default key was used, as for any target on this machine";

/** What a user may not expect of the credentials of a run: sentences without a full stop. */
export function noteKeys(
  {
    apiKey,
    credentials = {},
    isKeyGuessed = false,
  }: Pick<ConformanceOptions, 'apiKey' | 'credentials' | 'isKeyGuessed'>,
  contract: Contract,
): string[] {
  const hasOwn = Object.keys(credentials).length > 0;
  const unasked = describeUnasked(credentials, contract);
  if (unasked !== undefined && apiKey === '') return [`${unasked}; it is sent where nothing else was given`];
  if (unasked !== undefined) return [unasked];
  if (isKeyGuessed && !hasOwn) return asksForCredentials(contract) ? [TRIED_DEFAULT_KEY] : [];
  if ((apiKey === '' && !hasOwn) || asksForCredentials(contract)) return [];
  return [
    asksNowhere(contract)
      ? 'the contract declares security schemes, but no operation requires them; the given credentials are sent with every request'
      : 'no credentials were sent, since the contract requires none; to send them, add a security scheme to the contract or use --header',
  ];
}
