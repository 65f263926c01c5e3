/** How a run gets a credential by itself, and gets it anew once it has expired. */
export type CredentialSource = (LoginSource | CommandSource | OAuth2Source) & {
  /** When it is got anew: as soon as the target rejects it with 401, or its `expires_in` is over. Default: `on-401`. */
  renew?: 'on-401' | 'never' | undefined;
};

/** A request to the target whose response has the credential. */
export interface LoginSource {
  login: Login;
}

export interface Login {
  /** Below the target's base URL, such as `/login`; or a URL of its own. */
  path: string;
  /** Default: `POST`. */
  method?: string | undefined;
  /** Sent as JSON, or as a form where the contract takes nothing else there. Default: none. */
  body?: unknown;
  /** Sent as `application/x-www-form-urlencoded` in place of `body`. */
  form?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Where the response has the credential: a JSON Pointer, a header field or a cookie. Default: the cookie of the scheme, or a
   * member with a usual name, such as `access_token`.
   */
  take?: string | { header: string } | { cookie: string } | undefined;
  /** What stands before it where it is sent: `Token ` for `Authorization: Token 4f`. Default: nothing. */
  prefix?: string | undefined;
}

/** A command of the shell that prints the credential: alone, or as JSON with `access_token` and `expires_in`. */
export interface CommandSource {
  command: string;
}

/**
 * The document's own OAuth 2 flow: password where there is a `username`, otherwise client credentials (RFC 6749 sections 4.3
 * and 4.4), by the names of its parameters.
 */
export interface OAuth2Source {
  oauth2: OAuth2Client;
}

export interface OAuth2Client {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** Default: the scopes that the operations ask for. */
  scope?: string | undefined;
  /** Default: the `tokenUrl` of the flow. */
  token_url?: string | undefined;
}

/** Credentials by the name of a security scheme: as they are, or how to get them. */
export type GivenCredentials = Readonly<Record<string, string | CredentialSource>>;
