import { Controller, Get } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { CODES, type Code, DomainError } from '../../src/kernel/rules/domain-error.ts';
import { Header, Param } from '../http/parameters.ts';
import { slugOf, statusOf } from '../http/problem.ts';
import { OpenRoute, HttpReply } from '../http/route.ts';
import { renderPage, pageText, wantsJson } from './page.ts';

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

/** Pages of the problem types: what each means, its causes, and what to do (docs/reference/errors.md#errors). */
@Controller('problems')
export class ProblemPages {
  @Get()
  @OpenRoute('List problems')
  all(@Header('accept') accept: string | undefined, @HttpReply() reply: FastifyReply): string {
    if (wantsJson(accept)) return json(reply, { items: PAGES.map(publicOf) });
    const rows = PAGES.map(
      ({ slug, code, title }) => `<li><a href="/problems/${slug}">${code}</a> ${pageText(title)}</li>`,
    );
    return renderPage(reply, 'Problems', `<h1>Problems</h1><ul>${rows.join('')}</ul>`);
  }

  @Get(':slug')
  @OpenRoute('Read cause and remedy of a problem')
  one(
    @Param('slug') slug: string,
    @Header('accept') accept: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): string {
    const found = PAGES.find((one) => one.slug === slug);
    if (found === undefined) throw new DomainError('ROUTE_NOT_FOUND', 'No problem has this name.');
    return wantsJson(accept) ? json(reply, publicOf(found)) : renderPage(reply, found.title, articleOf(found));
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
  return `<p><a href="/problems">Problems</a></p><h1>${pageText(title)}</h1><p><code>${code}</code>, HTTP ${status}</p>
<h2>Cause</h2><p>${pageText(cause)}</p><h2>Remedy</h2><p>${pageText(remedy)}</p><h2>Repeat?</h2><p>${repeat}</p>`;
}

function json(reply: FastifyReply, body: unknown): string {
  reply.header('content-type', 'application/json; charset=utf-8').header('vary', 'accept');
  return JSON.stringify(body);
}
