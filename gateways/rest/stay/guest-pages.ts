import { Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { type SurveyForm, surveyForm } from '../../../src/guests/contracts/stay-survey.ts';
import { openGuestLink } from '../../../src/guests/operations/guest-link.ts';
import { answerSurvey, readSurvey } from '../../../src/guests/operations/stay-survey.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { type Code, DomainError } from '../../../src/kernel/rules/domain-error.ts';
import type { Property } from '../../../src/properties/rules/property.ts';
import { Body, Header, Param } from '../../http/parameters.ts';
import { OpenByLink, HttpReply, TakesForm } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';
import { surveyQuestions, surveyThanks } from '../guests/render/survey.ts';
import { renderPage, pageText, wantsJson } from '../page.ts';
import { receipt } from './render/invoice.ts';

/** Receipts for guests, who have a link but no account. */
@Controller('receipts')
export class Receipts {
  @Inject(SERVICES) protected readonly services!: Services;

  @Get(':link')
  @OpenByLink('Show a receipt')
  show(
    @Param('link') link: string,
    @Header('accept') accept: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    return privatePage(reply, accept, async () => {
      const { reservation, property } = await openGuestLink(this.services, 'receipt', link);
      return [`Receipt of ${property.name}`, receipt(reservation, property)];
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
    @Header('accept') accept: string | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    return privatePage(reply, accept, async () => {
      const { property, survey } = await readSurvey(this.services, link);
      return [titleOf(property), survey ? surveyThanks(property) : surveyQuestions(property)];
    });
  }

  /** Sent again, nothing changes: the first answer stands. */
  @Post(':link')
  @HttpCode(200)
  @OpenByLink('Answer a survey')
  @TakesForm()
  answer(
    @Param('link') link: string,
    @Header('accept') accept: string | undefined,
    @Body({ schema: surveyForm }) form: SurveyForm,
    @HttpReply() reply: FastifyReply,
  ): Promise<string> {
    return privatePage(reply, accept, async () => {
      const { property } = await answerSurvey(this.services, link, form);
      return [titleOf(property), surveyThanks(property)];
    });
  }
}

/** What a person is told whose link opens nothing. */
const DEAD_LINKS: Partial<Record<Code, { title: string; advice: string }>> = {
  RESERVATION_NOT_FOUND: {
    title: 'Nothing here',
    advice: 'Take it from the message once more, whole, or ask the property.',
  },
  LINK_EXPIRED: { title: 'This link has expired', advice: 'Ask the property for a new one.' },
};

const titleOf = ({ name }: Property): string => `Your stay at ${name}`;

/**
 * A page without caching and referrer. A person with an invalid link gets a page too;
 * a program gets the problem.
 */
async function privatePage(
  reply: FastifyReply,
  accept: string | undefined,
  make: () => Promise<[title: string, body: string]>,
): Promise<string> {
  reply.header('cache-control', 'private, no-store').header('referrer-policy', 'no-referrer');
  try {
    return renderPage(reply, ...(await make()));
  } catch (refused) {
    const said = refused instanceof DomainError ? DEAD_LINKS[refused.code] : undefined;
    if (!said || accept === undefined || !accept.includes('text/html') || wantsJson(accept)) throw refused;
    reply.code(404);
    const { message } = refused as DomainError;
    return renderPage(reply, said.title, `<h1>${said.title}</h1><p>${pageText(message)} ${said.advice}</p>`);
  }
}
