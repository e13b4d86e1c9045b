/** What `/auth/session` of the live service tells the page: a token for its memory, fresh for a while. */
export type PageSession = { tenantId: string; token: string; expiresAt: number };

/** What the dashboard page is told by `/config.json` of the live service. */
export type PageConfig = {
  /** OpenID issuer; its `.well-known/openid-configuration` names the endpoints. */
  issuer: string;
  /** Public client for authorization code with PKCE, without a secret. */
  clientId: string;
  /** Audience of the access tokens; some issuers want to be asked for it. */
  audience: string;
  /** Resource indicator (RFC 8707), for issuers that need one to give a JWT access token. */
  resource?: string;
  /** Base URL of the reservation service, without a slash at its end. */
  reservationUrl: string;
  /** Base URL of the rate service, likewise. */
  rateUrl: string;
  /** Whether the issuer is ours and signs `demoUsers` in at one click. */
  development: boolean;
  demoUsers?: readonly { tenant: string; role: string; name: string }[];
};
