import { type Configuration, interactionPolicy, Provider } from 'oidc-provider';

import { DEMO_USERS, hintOf, OPERATOR_SUBJECT } from '../../src/demo/rules/demo-users.ts';
import type { DevelopmentKeys } from './development-keys.ts';
import { AGENT_SCOPE, OPERATE_SCOPE } from './identity.ts';
import { memoryAdapter } from './memory-adapter.ts';
import { TOKEN_LIFETIME_SECONDS } from './mint.ts';

export type ProviderSettings = {
  issuer: string;
  audience: string;
  keys: DevelopmentKeys;
  /** Origins of the dashboards: redirect targets, and origins that may call the token endpoint. */
  dashboardOrigins: readonly string[];
};

/** Resource indicator of the API (RFC 8707); the audience of its tokens is `settings.audience`. */
const RESOURCE = 'urn:innkeeper:api';
/** The issuer signs in anybody with one click and listens on loopback only, so this secret protects nothing. */
export const CLIENT_SECRET = 'development-only';

/** node-oidc-provider as a development issuer: JWT access tokens, EdDSA only, everything in memory except the keys. */
export function developmentProvider(settings: ProviderSettings): Provider {
  return new Provider(settings.issuer, configurationOf(settings));
}

function configurationOf({ keys, audience, dashboardOrigins }: ProviderSettings): Configuration {
  return {
    adapter: memoryAdapter(),
    renderError: showError,
    jwks: { keys: [keys.signing] },
    cookies: { keys: [...keys.cookies] },
    clients: [dashboard(dashboardOrigins), ...serviceAccounts()],
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    // As most issuers do: an ID token has the claims of the scopes.
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    clientBasedCORS: (_ctx, origin) => dashboardOrigins.includes(origin),
    findAccount: async (_ctx, subject) => accountOf(subject),
    loadExistingGrant: grantEverything,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}`, policy: loginOnly() },
    ttl: {
      AccessToken: TOKEN_LIFETIME_SECONDS,
      ClientCredentials: TOKEN_LIFETIME_SECONDS,
      IdToken: 3600,
      Interaction: 3600,
      Session: TOKEN_LIFETIME_SECONDS,
      Grant: TOKEN_LIFETIME_SECONDS,
      RefreshToken: TOKEN_LIFETIME_SECONDS,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => RESOURCE,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (_ctx, _resource, client) => ({
          scope: client.clientId === OPERATOR_SUBJECT ? OPERATE_SCOPE : AGENT_SCOPE,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: TOKEN_LIFETIME_SECONDS,
          jwt: { sign: { alg: 'EdDSA' } },
        }),
      },
    },
  };
}

type Client = NonNullable<Configuration['clients']>[number];

function dashboard(origins: readonly string[]): Client {
  return {
    client_id: 'dashboard',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: origins.flatMap((origin) => [
      origin,
      `${origin}/`,
      `${origin}/callback`,
      `${origin}/auth/callback`,
    ]),
    post_logout_redirect_uris: origins.map((origin) => `${origin}/`),
    scope: 'openid profile email',
  };
}

/** One client per demo user: its client credentials token has the user's `sub`. */
function serviceAccounts(): Client[] {
  return [...DEMO_USERS.map((user) => user.subject), OPERATOR_SUBJECT].map((subject) => ({
    client_id: subject,
    client_secret: CLIENT_SECRET,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  }));
}

function accountOf(subject: string) {
  const user = DEMO_USERS.find((one) => one.subject === subject);
  if (user === undefined) return undefined;
  return {
    accountId: subject,
    claims: async () => ({ sub: subject, name: user.name, email: user.email, email_verified: true }),
  };
}

/** Grants everything without consent: the dashboards belong to the service. */
const grantEverything: Configuration['loadExistingGrant'] = async (ctx) => {
  const { client, session, provider } = ctx.oidc;
  const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
  grant.addOIDCScope('openid profile email');
  grant.addResourceScope(RESOURCE, '');
  await grant.save();
  return grant;
};

const showError: Configuration['renderError'] = async (ctx, out) => {
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = `This sign-in cannot go on: ${out.error}${out.error_description ? `, ${out.error_description}` : ''}\n`;
};

/** Sign-in is the only prompt. A hint for another user than the current one prompts again. */
function loginOnly(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const other = new interactionPolicy.Check('hint_mismatch', 'another user was requested', (ctx) => {
    const hint = ctx.oidc.params?.['login_hint'];
    const hinted = DEMO_USERS.find((user) => hintOf(user) === hint);
    const present = ctx.oidc.session?.accountId;
    const asks = hinted !== undefined && present !== undefined && present !== hinted.subject;
    return asks ? interactionPolicy.Check.REQUEST_PROMPT : interactionPolicy.Check.NO_NEED_TO_PROMPT;
  });
  policy.get('login')?.checks.add(other);
  return policy;
}
