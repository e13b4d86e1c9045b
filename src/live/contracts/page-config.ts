import type { Role } from '../../kernel/rules/caller.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import type { Preferences } from '../../tenants/rules/preferences.ts';

/**
 * Answer of `/auth/session` of the live service to the page: a short-lived token for its memory, and the role of its
 * user where he has one in the tenant.
 */
export type PageSession = {
  tenantId: TenantId;
  token: string;
  expiresAt: Instant;
  role?: Role;
  /** What the person has chosen, in whatever browser; absent where it could not be read. */
  preferences?: Preferences;
};

/** Answer of `/config.json` of the live service to the dashboard page. */
export type PageConfig = {
  /** OpenID issuer; its `.well-known/openid-configuration` names the endpoints. */
  issuer: string;
  /** Public client for authorization code with PKCE, without a secret. */
  clientId: string;
  /** Audience of the access tokens; some issuers require it in the request. */
  audience: string;
  /** Resource indicator (RFC 8707), for issuers that need one to give a JWT access token. */
  resource?: string;
  /** Base URL of the reservation service, without a slash at its end. */
  reservationUrl: string;
  /** Base URL of the rate service, likewise. */
  rateUrl: string;
  /** Whether the issuer is the built-in one, which signs `demoUsers` in with one click. */
  development: boolean;
  /** Hotels of the demo live, and their pace can be set. */
  demo?: true;
  demoUsers?: readonly { tenant: string; role: string; name: string }[];
};
