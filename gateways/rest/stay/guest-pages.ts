import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { type SurveyForm, surveyForm } from '../../../src/guests/contracts/stay-survey.ts';
import { type OpenedByGuest, openGuestLink } from '../../../src/guests/operations/guest-link.ts';
import { answerSurvey, readSurvey } from '../../../src/guests/operations/stay-survey.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { type Code, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import { acceptedLanguage } from '../../../src/kernel/rules/languages.ts';
import { letterTextsIn } from '../../../src/notifications/contracts/letter-texts.ts';
import { guestTexts } from '../../../src/notifications/operations/guest-texts.ts';
import type { LetterKey, LetterTexts } from '../../../src/notifications/rules/letter-texts.ts';
import { readRoomTypeNames } from '../../../src/properties/operations/room-type-names.ts';
import { Body, Param, parameterFrom } from '../../http/parameters.ts';
import { OpenByLink, HttpReply, TakesForm } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';
import { surveyQuestions, surveyThanks } from '../guests/render/survey.ts';
import { renderPage, pageText, wantsJson } from '../page.ts';
import { receipt } from './render/receipt.ts';

/** What a browser accepts: only who opens a link that is dead is answered by it. */
type Accepted = { accept?: string; language?: string };

const TheAccepted = parameterFrom<Accepted>((context) => {
  const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { accept: headers.accept, language: headers['accept-language'] };
});

/** Receipts for guests, who have a link but no account. */
@Controller('receipts')
export class Receipts {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get(':link')
  @OpenByLink('Show a receipt')
  show(
    @Param('link') link: string,
    @TheAccepted() accepted: Accepted,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    const { services } = this;
    return privatePage(services, { reply, accepted, title: 'receipt.title' }, async () => {
      const opened = await openGuestLink(services, 'receipt', link);
      const { tenantId, property } = opened;
      const rooms = await readRoomTypeNames(services, { tenantId, propertyId: property.propertyId });
      return { opened, body: (texts) => receipt({ ...opened, rooms }, texts) };
    });
  }
}

/** The survey about a stay, by the link of its check-out. */
@Controller('survey')
export class Surveys {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get(':link')
  @OpenByLink('Show a survey')
  ask(
    @Param('link') link: string,
    @TheAccepted() accepted: Accepted,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    return privatePage(this.services, { reply, accepted, title: 'survey.title' }, async () => {
      const { survey, ...opened } = await readSurvey(this.services, link);
      return { opened, body: (texts) => (survey ? surveyThanks : surveyQuestions)(opened.property, texts) };
    });
  }

  /** Sent again, nothing changes: the first answer stands. */
  @Post(':link')
  @HttpCode(200)
  @OpenByLink('Answer a survey')
  @TakesForm()
  answer(
    @Param('link') link: string,
    @TheAccepted() accepted: Accepted,
    @Body({ schema: surveyForm }) form: SurveyForm,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    return privatePage(this.services, { reply, accepted, title: 'survey.title' }, async () => {
      const opened = await answerSurvey(this.services, link, form);
      return { opened, body: (texts) => surveyThanks(opened.property, texts) };
    });
  }
}

/** What a person is told whose link opens nothing. */
const DEAD_LINKS: Partial<Record<Code, { title: LetterKey; advice: LetterKey }>> = {
  RESERVATION_NOT_FOUND: { title: 'dead.nothing', advice: 'dead.nothingAdvice' },
  LINK_EXPIRED: { title: 'dead.expired', advice: 'dead.expiredAdvice' },
};

type Shown = { opened: OpenedByGuest; body: (texts: LetterTexts) => string };

/**
 * A page in the language of the guest, without caching and referrer. A person with an invalid link gets a page too, in
 * the language of the browser; a program gets the problem.
 */
async function privatePage(
  services: Services,
  { reply, accepted, title }: { reply: FastifyReply; accepted: Accepted; title: LetterKey },
  make: () => Promise<Shown>,
): Promise<string> {
  reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
  try {
    const { opened, body } = await make();
    const texts = await guestTexts(services, opened.tenantId, opened);
    return renderPage(reply, texts.text(title, { property: opened.property.name }), body(texts), texts.language);
  } catch (refused) {
    const { accept } = accepted;
    const said = refused instanceof DomainError ? DEAD_LINKS[refused.code] : undefined;
    if (!said || accept === undefined || !accept.includes('text/html') || wantsJson(accept)) throw refused;
    reply.code(404).header('vary', 'accept, accept-language');
    const texts = letterTextsIn(acceptedLanguage(accepted.language));
    const name = texts.text(said.title);
    const body = `<h1>${pageText(name)}</h1><p>${pageText(texts.text(said.advice))}</p>`;
    return renderPage(reply, name, body, texts.language);
  }
}
