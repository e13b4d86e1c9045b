import { Controller, Get, Headers, Param } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CODES, type Code, Refusal } from '../../src/domain/refusal.ts';
import { slugOf, statusOf } from '../http/problem.ts';
import { Open, Reply } from '../http/route.ts';

type Page = {
  code: Code;
  slug: string;
  status: number;
  title: string;
  cause: string;
  remedy: string;
  retryable: boolean;
};

const PAGES: readonly Page[] = Object.keys(CODES).filter(isCode).map(pageOf);

/** The pages that the `type` of every problem names: what it means, why it came, what to do (contracts.md 3). */
@Controller('problems')
export class ProblemPages {
  @Get()
  @Open()
  all(@Headers('accept') accept: string | undefined, @Reply() reply: FastifyReply): string {
    if (wantsJson(accept)) return json(reply, { items: PAGES.map(publicOf) });
    const rows = PAGES.map(
      (page) => `<li><a href="/problems/${page.slug}">${page.code}</a> ${text(page.title)}</li>`,
    );
    return html(reply, 'Problems', `<h1>Problems</h1><ul>${rows.join('')}</ul>`);
  }

  @Get(':slug')
  @Open()
  one(
    @Param('slug') slug: string,
    @Headers('accept') accept: string | undefined,
    @Reply() reply: FastifyReply,
  ): string {
    const page = PAGES.find((one) => one.slug === slug);
    if (page === undefined) throw new Refusal('ROUTE_NOT_FOUND', 'No problem has this name.');
    return wantsJson(accept) ? json(reply, publicOf(page)) : html(reply, page.title, articleOf(page));
  }
}

function pageOf(code: Code): Page {
  const entry: { title: string; cause: string; remedy: string; retryable?: true } = CODES[code];
  const { title, cause, remedy } = entry;
  return {
    code,
    slug: slugOf(code),
    status: statusOf(code),
    title,
    cause,
    remedy,
    retryable: entry.retryable === true,
  };
}

function isCode(name: string): name is Code {
  return name in CODES;
}

function publicOf({ slug, ...page }: Page): Omit<Page, 'slug'> & { type: string } {
  return { type: `/problems/${slug}`, ...page };
}

function articleOf({ code, status, title, cause, remedy, retryable }: Page): string {
  const repeat = retryable ? 'The same request may succeed later.' : 'The same request will be refused again.';
  return `<p><a href="/problems">Problems</a></p><h1>${text(title)}</h1><p><code>${code}</code>, HTTP ${status}</p>
<h2>Cause</h2><p>${text(cause)}</p><h2>Remedy</h2><p>${text(remedy)}</p><h2>Repeat?</h2><p>${repeat}</p>`;
}

/** Words between back-ticks are code, as in the table of refusals. */
function text(plain: string): string {
  const safe = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return safe.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function wantsJson(accept = ''): boolean {
  return /\bjson\b/.test(accept) && !/\btext\/html\b/.test(accept);
}

function json(reply: FastifyReply, body: unknown): string {
  reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept');
  return JSON.stringify(body);
}

function html(reply: FastifyReply, title: string, body: string): string {
  reply.header('content-type', 'text/html; charset=utf-8').header('vary', 'accept');
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${text(title)} · Innkeeper</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`;
}

const STYLE = `body{font:17px/1.6 system-ui,sans-serif;color:#222;background:#faf9f7;margin:0}
main{max-width:42rem;margin:3rem auto;padding:0 1rem}h1{line-height:1.2}h2{font-size:1.1rem;margin-bottom:0}
code{background:#eee;padding:.1em .3em;border-radius:.2em}a{color:#1d4ed8}`;
