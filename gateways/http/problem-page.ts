import type { FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';

/** The parts of a problem that a person reads. */
type Shown = { title: string; status: number; detail: string; code: string; requestId: string };

const STYLE =
  ':root{color-scheme:light dark}' +
  'body{margin:0;padding:20vh 24px;font:16px/1.5 system-ui,sans-serif;text-align:center;' +
  'background:light-dark(#f5f3ef,#111413);color:light-dark(#1e1d1b,#e9ecea)}' +
  'h1{font-size:24px}a{color:light-dark(#085049,#7ad8ca)}small{color:light-dark(#5d5953,#a9b2ae)}';

/** Only this style: a problem repeats parts of the request, so nothing in the page may run. */
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`;

/** HTML alone, or first with XHTML, as browsers ask. Java's old client names HTML first too, but with images. */
const ASKS_FOR_PAGE = /^text\/html\s*(?:;[^,]*)?(?:$|,.*application\/xhtml\+xml)/;

/** Whether a person looks at the answer: a browser that navigates. Scripts and other clients get the problem itself. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && ASKS_FOR_PAGE.test(headers.accept ?? '');
}

/** Sends a problem as a page that says what is wrong and leads on, with the same status. */
export function sendProblemPage(problem: Shown, reply: FastifyReply): void {
  const { title, status, detail, code, requestId } = problem;
  // The service with the page leads to its start, the others to their documentation.
  const hasStart = reply.server.hasRoute({ method: 'GET', url: '/' });
  const way = hasStart ? '<a href="/">Start page</a>' : '<a href="/swagger-ui.html">API documentation</a>';
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Innkeeper</title>
<style>${STYLE}</style>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(detail)}</p>
<p>${way}</p>
<p><small>${escaped(code)}, request ${escaped(requestId)}</small></p>
</main>
</html>
`;
  void reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      vary: 'accept',
    })
    .send(body);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
