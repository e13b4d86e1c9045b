import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Files of swagger-ui-dist that the page loads; nothing else of the package is served. */
const ASSETS = new Set(['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'favicon-16x16.png']);

/**
 * Serves the interactive page at `/swagger-ui/index.html`. It is our own page around swagger-ui: the one of
 * @nestjs/swagger names its files relative to `/swagger-ui`, which a browser at `/swagger-ui/index.html` looks for one
 * level too deep.
 */
export function serveSwaggerPage(fastify: FastifyInstance, title: string): void {
  const own = createRequire(import.meta.url);
  const viaNest = createRequire(own.resolve('@nestjs/swagger'));
  const root = dirname(viaNest.resolve('swagger-ui-dist/package.json'));
  const html = pageOf(title);
  fastify.register(fastifyStatic, {
    root,
    prefix: '/swagger-ui/',
    decorateReply: false,
    index: false,
    allowedPath: (path) => ASSETS.has(path.replace(/^\//, '')),
  });
  fastify.get('/swagger-ui/index.html', (_request, reply) => reply.type('text/html; charset=utf-8').send(html));
  fastify.get('/swagger-ui/swagger-ui-init.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  for (const path of ['/swagger-ui.html', '/swagger-ui', '/swagger-ui/'])
    fastify.get(path, (_request, reply) => reply.redirect('/swagger-ui/index.html', 302));
}

const pageOf = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/swagger-ui/swagger-ui.css">
<link rel="icon" type="image/png" href="/swagger-ui/favicon-32x32.png" sizes="32x32">
</head>
<body>
<div id="swagger-ui">Loading ${title}</div>
<noscript>This page needs JavaScript; the document itself is at <a href="/v3/api-docs">/v3/api-docs</a>.</noscript>
<script src="/swagger-ui/swagger-ui-bundle.js"></script>
<script src="/swagger-ui/swagger-ui-init.js"></script>
</body>
</html>
`;

/** The page shows the two ways in that work in it: swagger-ui would ask the issuer for a sign-in of its own. */
const START = `'use strict';
(async () => {
  const response = await fetch('/v3/api-docs');
  const spec = await response.json();
  delete spec.components.securitySchemes.oidc;
  for (const item of Object.values(spec.paths))
    for (const operation of Object.values(item))
      if (operation.security) operation.security = operation.security.filter((one) => !('oidc' in one));
  SwaggerUIBundle({
    spec,
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: true,
  });
})().catch(() => {
  document.getElementById('swagger-ui').textContent = 'The document could not be loaded. Reload the page.';
});
`;
