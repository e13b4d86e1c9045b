import type { FastifyReply } from 'fastify';

import { LANGUAGE_NAMES, LANGUAGES } from '../../src/kernel/rules/languages.ts';
import { compact, dataBlock, html, type Markup } from './html.ts';
import type { Texts } from './texts.ts';

/** Names of the files of the pages, as they are bundled; `undefined` where no page was bundled. */
export type GuestAssets = { style: string | undefined; script: string | undefined; font: string | undefined };

/** What a page says about itself, and what it may load. */
export type Frame = {
  texts: Texts;
  assets: GuestAssets;
  title: string;
  /** Name of the property, as the heading of the frame; it leads to `home`. */
  name: string;
  home: string;
  description?: string;
  /** Address of this page without its language; only pages for search engines have one. */
  canonical?: string;
  /** Address of this page in another language. */
  inLanguage: (language: string) => string;
  /** For search engines: schema.org. */
  linkedData?: object;
  /** Origins of pages that may show it in a frame; none without. */
  embedOrigins?: readonly string[];
  /** Whether the card form of Stripe is on it. */
  hasStripe?: boolean;
  /** Texts and settings for the script; without them the page has none. */
  forScript?: object;
};

const STRIPE = { script: 'https://js.stripe.com', api: 'https://api.stripe.com', frames: 'https://hooks.stripe.com' };

/** Sends a page for guests: nothing inline, nothing from other origins but the card form. */
export function sendPage(reply: FastifyReply, frame: Frame, body: Markup, status = 200): void {
  reply.headers(headersOf(frame)).removeHeader('x-frame-options');
  if (!frame.embedOrigins?.length) reply.header('x-frame-options', 'DENY');
  void reply.code(status).type('text/html; charset=utf-8').send(documentOf(frame, body));
}

function headersOf({ embedOrigins = [], hasStripe = false, texts }: Frame): Record<string, string> {
  const stripe = (origins: string): string => (hasStripe ? ` ${origins}` : '');
  return {
    'content-language': texts.language,
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self'${stripe(STRIPE.script)}`,
      "style-src 'self'",
      "font-src 'self'",
      "img-src 'self'",
      ...(hasStripe ? [`connect-src ${STRIPE.api}`, `frame-src ${STRIPE.script} ${STRIPE.frames}`] : []),
      "base-uri 'none'",
      "form-action 'self'",
      `frame-ancestors ${embedOrigins.length > 0 ? embedOrigins.join(' ') : "'none'"}`,
    ].join('; '),
    // A page says what was true when it was made, and Back loads it again.
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    vary: 'accept-language',
  };
}

function documentOf(frame: Frame, body: Markup): string {
  const { texts, assets, title, name, home, description, canonical, inLanguage, linkedData, hasStripe, forScript } =
    frame;
  const alternates = canonical === undefined ? [] : LANGUAGES;
  const page = html`<!doctype html>
    <html lang="${texts.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${description !== undefined && html`<meta name="description" content="${description}" />`}
        ${canonical === undefined ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${canonical}" />`}
        ${alternates.map((language) => html`<link rel="alternate" hreflang="${language}" href="${inLanguage(language)}" />`)}
        ${canonical !== undefined && html`<link rel="alternate" hreflang="x-default" href="${canonical}" />`}
        ${assets.style !== undefined && html`<link rel="stylesheet" href="/${assets.style}" />`}
        ${assets.font !== undefined && html`<link rel="preload" href="/${assets.font}" as="font" type="font/woff2" crossorigin />`}
        ${linkedData !== undefined && dataBlock('application/ld+json', linkedData)}
        ${forScript !== undefined && dataBlock('application/json', forScript, 'for-script')}
        ${hasStripe && html`<script src="${STRIPE.script}/v3/" async></script>`}
        ${forScript !== undefined && assets.script !== undefined && html`<script type="module" src="/${assets.script}"></script>`}
      </head>
      <body>
        <a class="skip" href="#main">${texts.text('frame.skip')}</a>
        <header>
          <p class="name"><a href="${home}">${name}</a></p>
          ${languageSwitch(texts, inLanguage)}
        </header>
        <main id="main">${body}</main>
      </body>
    </html>`;
  return compact(page);
}

/** The name of each language stands in it. */
function languageSwitch(texts: Texts, inLanguage: Frame['inLanguage']): Markup {
  return html`<nav class="languages" aria-label="${texts.text('frame.language')}">
    <ul>
      ${LANGUAGES.map((language) => {
        const current = language === texts.language && html` aria-current="true"`;
        return html`<li>
          <a href="${inLanguage(language)}" hreflang="${language}" lang="${language}" ${current}
            >${LANGUAGE_NAMES[language]}</a
          >
        </li>`;
      })}
    </ul>
  </nav>`;
}
