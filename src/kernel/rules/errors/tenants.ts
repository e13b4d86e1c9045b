import { code } from './code.ts';

export const tenantErrors = {
  TENANT_MISSING: code(
    'invalid',
    'The tenant is missing or malformed',
    '`X-Tenant-ID` was absent, malformed or sent twice.',
    'Send `X-Tenant-ID` once.',
  ),
  TENANT_FORBIDDEN: code(
    'forbidden',
    'This tenant is not yours',
    'Your user has no association with the tenant.',
    'Use a tenant that you belong to, or ask its owner.',
  ),
  ROLE_TOO_LOW: code(
    'forbidden',
    'Your role may not do this',
    'The operation needs a higher role in this tenant.',
    'Ask somebody with the role, or an owner to raise yours.',
  ),
  INSUFFICIENT_SCOPE: code(
    'forbidden',
    'The token lacks a scope',
    'The path is for tokens with a scope that this one does not have.',
    'Ask the issuer for a token with the scope that `WWW-Authenticate` names.',
  ),
  AGENT_TOKEN: code(
    'forbidden',
    'The token is for agents',
    'A token with scope `innkeeper:agent` is accepted by `/mcp` alone.',
    'Call `/mcp`, or use a token without this scope.',
  ),
  CHANNEL_TOKEN: code(
    'forbidden',
    'The token is for channels',
    'A token with scope `innkeeper:channel` sends bookings of channels, reads their settings and opens nothing else.',
    'Use a token without this scope.',
  ),
  ORIGIN_FORBIDDEN: code(
    'forbidden',
    'The origin is not allowed',
    'A page of another origin has sent the request.',
    'Add the origin to `CORS_ORIGINS`, or send no `Origin`.',
  ),
  TENANT_NOT_ACTIVE: code(
    'forbidden',
    'The tenant is not active',
    'The tenant is suspended, inactive or cancelled.',
    'Ask the operator of this installation.',
  ),
  TENANT_NOT_FOUND: code('missing', 'No such tenant', 'The tenant does not exist.', 'Check the id.'),
  IMPORT_NOT_FOUND: code(
    'missing',
    'No such import',
    'The tenant has no import with this id, or its report is no longer retained.',
    'Check the id: `GET /api/v1/imports` lists them.',
  ),
  CHANNEL_NOT_FOUND: code(
    'missing',
    'No such channel',
    'The tenant has no channel with this id.',
    'Check the id: `GET /api/v1/channels` lists them.',
  ),
  WEBHOOK_NOT_FOUND: code(
    'missing',
    'No such webhook',
    'The tenant has no webhook with this id.',
    'Check the id: `GET /api/v1/webhooks` lists them.',
  ),
  USER_NOT_FOUND: code(
    'missing',
    'No such user',
    'The tenant has no user with this id.',
    'List the users of the tenant.',
  ),
  INVITATION_NOT_FOUND: code(
    'missing',
    'No such invitation',
    'The tenant has no open invitation with this id: it was used or revoked, or never made.',
    'List the invitations of the tenant.',
  ),
  ASSOCIATION_NOT_FOUND: code(
    'missing',
    'No such association',
    'No user of the tenant has a role under this id.',
    'List the associations of the tenant.',
  ),
  SESSION_NOT_FOUND: code(
    'missing',
    'No such session',
    'You have no session with this id; it may have ended.',
    'List your sessions.',
  ),
  UNKNOWN_USER: code(
    'rule',
    'The tenant has no such user',
    'A role is given to users of the tenant.',
    'Add the user to the tenant first.',
  ),
};
