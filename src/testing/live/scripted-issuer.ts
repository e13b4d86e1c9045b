import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';

/**
 * An issuer that signs the user of `login_hint` in at once: authorization code with PKCE like the development issuer,
 * on the same server as the page.
 */
export function serveIssuer(fastify: FastifyInstance, url: string): void {
  const codes = new Map<string, { challenge: string; hint: string; redirectUri: string }>();
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  fastify.get('/.well-known/openid-configuration', () => ({
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
  }));
  fastify.get<{ Querystring: Record<string, string> }>('/auth', ({ query }, reply) => {
    const {
      code_challenge: challenge = '',
      login_hint: hint = '',
      redirect_uri: redirectUri = '',
      state = '',
    } = query;
    const code = crypto.randomUUID();
    codes.set(code, { challenge, hint, redirectUri });
    const valid =
      query.client_id === 'dashboard' && query.code_challenge_method === 'S256' && query.scope === 'openid email';
    const answer: Record<string, string> = valid ? { code, state } : { error: 'invalid_request', state };
    return reply.redirect(`${redirectUri}?${new URLSearchParams(answer).toString()}`);
  });
  fastify.post<{ Body: Record<string, string> }>('/token', ({ body }, reply) => {
    const found = codes.get(body.code ?? '');
    codes.delete(body.code ?? '');
    const challenge = createHash('sha256')
      .update(body.code_verifier ?? '')
      .digest('base64url');
    if (found?.challenge !== challenge || found.redirectUri !== body.redirect_uri) {
      return reply.code(400).send({ error: 'invalid_grant' });
    }
    return { access_token: found.hint, token_type: 'Bearer', expires_in: 3600 };
  });
}
