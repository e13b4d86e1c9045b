import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { Logger } from 'pino';

import { DEMO_USERS, type DemoUser, hintOf } from '../../src/demo/rules/demo-users.ts';
import type { AcceptWatch } from '../http/admission/accept-watch.ts';
import { boundConnections } from '../http/admission/connection-bound.ts';
import type * as Loaded from './development-provider.ts';
import { signInPage } from './sign-in-page.ts';

export type DevelopmentIssuer = AsyncDisposable & {
  /** The `iss` claim, such as `http://127.0.0.1:8086`. */
  readonly url: string;
};

/** The form has one field, so a larger body is rejected. */
const MAX_FORM_BYTES = 1024;

/**
 * Starts the embedded OIDC issuer on 127.0.0.1 (docs/guide/production.md#mode: development only, never beside
 * `OIDC_ISSUER`).
 *
 * @param port 0 takes a free one
 */
export async function startDevelopmentIssuer(
  settings: Omit<Loaded.ProviderSettings, 'issuer'> & {
    port: number;
    log: Logger;
    connections?: number;
    watch?: AcceptWatch;
  },
): Promise<DevelopmentIssuer> {
  const { port, log, connections = Infinity, watch } = settings;
  const { developmentProvider } = await loadedQuietly(log);
  const server = createServer();
  boundConnections(server, connections);
  watch?.add('issuer', server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  const provider = developmentProvider({ ...settings, issuer: url });
  const serve = provider.callback();
  server.on('request', (request, response) => {
    const uid = /^\/interaction\/([\w-]{1,64})(?:$|\?)/.exec(request.url ?? '')?.[1];
    const served = uid === undefined ? serve(request, response) : signIn(provider, request, response);
    served.catch((error: unknown) => {
      log.warn({ err: error }, 'development issuer');
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('This sign-in is over. Go back to the dashboard and begin again.\n');
    });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/**
 * Loads node-oidc-provider only when needed. On Deno it warns on the console that it does not support it; tests cover
 * it there, so the warning goes to the log.
 */
async function loadedQuietly(log: Logger): Promise<Pick<typeof Loaded, 'developmentProvider'>> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => log.debug({ words: words.map(String) }, 'oidc-provider');
  try {
    return await import('./development-provider.ts');
  } finally {
    console.warn = warn;
  }
}

/** The user that `login_hint=<tenant>:<ROLE>` names. */
function userOfHint(hint: unknown): DemoUser | undefined {
  return DEMO_USERS.find((user) => hint === hintOf(user));
}

/** GET shows the page, or signs in at once when `login_hint` names a user; POST is a click on a button. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params, uid } = await provider.interactionDetails(request, response);
  const chosen = request.method === 'POST' ? await chosenSubject(request) : userOfHint(params['login_hint'])?.subject;
  if (chosen !== undefined && DEMO_USERS.some((user) => user.subject === chosen)) {
    await provider.interactionFinished(request, response, { login: { accountId: chosen } });
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(signInPage(`/interaction/${uid}`));
}

async function chosenSubject(request: IncomingMessage): Promise<string | undefined> {
  let form = '';
  for await (const chunk of request.setEncoding('utf8')) {
    form += String(chunk);
    if (form.length > MAX_FORM_BYTES) throw new Error('the form is too large');
  }
  return new URLSearchParams(form).get('subject') ?? undefined;
}
