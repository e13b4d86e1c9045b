import type { FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { acceptedLanguage, type Language, languageOf } from '../../../src/kernel/rules/languages.ts';

/** The document of one page, ready to be sent. */
export type PageDocument = { etag: string; bodies: Record<'br' | 'gzip' | 'identity', Buffer> };

/** The font of most texts. The bold one comes when it is used, so that scripts do not wait for it. */
const FONT = 'ibm-plex-sans-latin-400-normal.woff2';

/** Scripts that a script imports at once, as esbuild writes them; those behind `import()` are loaded later. */
const IMPORTS = /(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g;

/** A script of the bundle with all that it imports at once, each name once. */
export function scriptsWith(dir: string, entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry) || !existsSync(join(dir, entry))) return found;
  found.add(entry);
  for (const [, name] of readFileSync(join(dir, entry), 'utf8').matchAll(IMPORTS))
    if (name !== undefined) scriptsWith(dir, name, found);
  return found;
}

/** Name in the bundle of a source: `desk/desk-page.tsx` is `desk-page-<hash>.js`. */
export function bundledName(dir: string, source: string, as = '.js'): string | undefined {
  const prefix = `${basename(source, extname(source))}-`;
  return readdirSync(dir).find(
    (name) => name.startsWith(prefix) && name.endsWith(as) && /^[0-9A-Z]{8}\.\w+$/.test(name.slice(prefix.length)),
  );
}

/** After the scripts: until the font has come, one of the system is shown that is as wide. */
function fontLinks(dir: string): string[] {
  const name = bundledName(dir, FONT, '.woff2');
  if (name === undefined) return [];
  return [`<link rel="preload" href="/${name}" as="font" type="font/woff2" fetchpriority="low" crossorigin />`];
}

/** Cookie of a user who has chosen a language on this device. */
const CHOSEN = /(?:^|;\s*)language=(\w+)/;

/** The language of a document: the one that the user has chosen, or else the one that the browser likes best. */
export function languageFor({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return languageOf(CHOSEN.exec(headers.cookie ?? '')?.[1]) ?? acceptedLanguage(headers['accept-language']);
}

/**
 * The document of a page in a language: it says what `/config.json` says, and names the scripts of its workspace, so
 * that the browser loads them together with the first one, and not after each other.
 */
export function pageDocument(
  dir: string,
  { script, config, language }: { script: string | undefined; config: string; language: Language },
): PageDocument {
  const entry = script === undefined ? undefined : bundledName(dir, script);
  const main = { '.js': bundledName(dir, 'main.tsx') ?? 'main.js', '.css': bundledName(dir, 'main.tsx', '.css') };
  const scripts = scriptsWith(dir, main['.js']);
  if (entry !== undefined) scriptsWith(dir, entry, scripts);
  scripts.delete(main['.js']);
  const translations = bundledName(dir, `translations-${language}`);
  const early = bundledName(dir, 'early-script.ts');
  const ofAdmin = /^(admin|operations)\//.test(script ?? '')
    ? bundledName(dir, `translations-admin-${language}`)
    : undefined;
  const links = [
    // Data and no script: what ends the element is written so that it does not.
    `<script id="config" type="application/json">${config.replaceAll('<', '\\u003c')}</script>`,
    // It needs the data, and nothing waits for it.
    ...(early === undefined ? [] : [`<script type="module" async fetchpriority="high" src="/${early}"></script>`]),
    // No module: it has run before the first of them.
    ...(translations === undefined ? [] : [`<script src="/${translations}"></script>`]),
    ...(ofAdmin === undefined ? [] : [`<link rel="preload" href="/${ofAdmin}" as="script" />`]),
    ...[...scripts].map((name) => `<link rel="modulepreload" href="/${name}" />`),
    ...fontLinks(dir),
  ];
  const html = readFileSync(join(dir, 'index.html'), 'utf8')
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replaceAll('/main.js', `/${main['.js']}`)
    .replaceAll('/main.css', `/${main['.css'] ?? 'main.css'}`)
    .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`);
  const identity = Buffer.from(html);
  return {
    etag: hash('sha256', identity, 'base64url').slice(0, 27),
    bodies: { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity, { level: 9 }) },
  };
}

/** Sends a document as small as the browser takes it, or says that it has not changed. */
export function sendDocument({ etag, bodies }: PageDocument, request: FastifyRequest, reply: FastifyReply): void {
  const accepted = (request.headers['accept-encoding'] ?? '').split(/[\s,]+/);
  const encoding = (['br', 'gzip'] as const).find((one) => accepted.includes(one)) ?? 'identity';
  const own = `"${etag}-${encoding}"`;
  reply.headers({ etag: own, vary: 'accept-encoding, accept-language, cookie' });
  if (request.headers['if-none-match'] === own) return void reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  void reply.type('text/html; charset=utf-8').send(bodies[encoding]);
}
