import type { SecurityScheme } from '../../contract/model.js';

/** Where a request showed a credential, and which. */
export interface ShownCredential extends Pick<SecurityScheme, 'kind' | 'at'> {
  /** The name under which it was given; absent for the API key. */
  of?: string;
  /** Set for the user of a Basic pair that has no password. */
  lacksPassword?: true;
}

/** What stands for a secret within double quotes of a shell: `$PETSTORE_API_KEY`. */
export interface ShellWords {
  apiKey: string;
  /** By the name under which each was given. */
  credentials: Record<string, string>;
  /** By the names of header fields, in lower case. */
  headers: Record<string, string>;
}
