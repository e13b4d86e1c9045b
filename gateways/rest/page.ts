import type { FastifyReply } from 'fastify';

import type { Language } from '../../src/kernel/rules/languages.ts';

/** Small pages for people: no scripts, one style, nothing from other origins. */

/** Escapes text for a page; parts between back-ticks become code. */
export function pageText(plain: string): string {
  const safe = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return safe.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Whether the client prefers JSON to a page. */
export function wantsJson(accept = ''): boolean {
  return /\bjson\b/.test(accept) && !/\btext\/html\b/.test(accept);
}

/** @param body markup whose foreign parts are escaped by {@link pageText} @param language of the body */
export function renderPage(reply: FastifyReply, title: string, body: string, language: Language = 'en'): string {
  reply.header('content-type', 'text/html; charset=utf-8').header('vary', 'accept');
  reply.header(
    'content-security-policy',
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  );
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${pageText(title)} · Innkeeper</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

const STYLE = `body{font:17px/1.6 system-ui,sans-serif;color:#222;background:#faf9f7;margin:0}
main{max-width:42rem;margin:3rem auto;padding:0 1rem}h1{line-height:1.2}h2{font-size:1.1rem;margin-bottom:0}
code{background:#eee;padding:.1em .3em;border-radius:.2em}a{color:#1d4ed8}
table{border-collapse:collapse;width:100%;margin:1.5rem 0}td,th{padding:.3rem 0;border-bottom:1px solid #ddd;text-align:left}
td:last-child,th:last-child{text-align:right;font-variant-numeric:tabular-nums}`;
