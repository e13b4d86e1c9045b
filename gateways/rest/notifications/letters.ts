import { Controller, Delete, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/notifications/contracts/letters.ts';
import {
  changeLetter,
  listLetters,
  previewLetter,
  type PropertyLetter,
  resetLetter,
} from '../../../src/notifications/operations/letters.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type PropertyRead, SERVICES, ThePropertyRead } from '../answer.ts';
import { type PropertyWriteIfMatch, ThePropertyWriteIfMatch } from '../if-match.ts';

/** Letters to guests, and the own texts of a property for them (docs/reference/letters.md#letters). */
@Controller('api/v1/tenants/:tenantId/properties/:propertyId/letters')
export class Letters {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Every kind of letter in every language, with its standard texts and those of the property. */
  @Get()
  @Answers(contract.lettersAnswer)
  @Needs('admin.read', 'List the letters of a property')
  async list(@ThePropertyRead() { to, response }: PropertyRead) {
    const { property, kinds } = await response.db(listLetters(this.services, to));
    return {
      propertyId: to.propertyId,
      language: property.metadata.policies.language,
      kinds: kinds.map(({ kind, values, letters }) => ({ kind, values: [...values], letters: letters.map(shown) })),
    };
  }

  /** Replaces the own texts of a letter in a language; what is left out is the standard text. */
  @Put(':kind/:language')
  @Answers(contract.letterAnswer)
  @Needs('property.set-up', 'Set own texts of a letter')
  async change(
    @ThePropertyWriteIfMatch() { caller, to, key, response, ifVersion }: PropertyWriteIfMatch,
    @Param('kind') kind: string,
    @Param('language') language: string,
    @Body({ schema: contract.letterBody }) body: contract.LetterBody,
  ) {
    const change = changeLetter(this.services, caller, { to, kind, language }, body, { key, ifVersion });
    const answer = shown((await response.db(change)).result);
    response.version(answer);
    return answer;
  }

  /** Takes the own texts of a letter back: the standard ones are sent. */
  @Delete(':kind/:language')
  @Answers(contract.letterAnswer)
  @Needs('property.set-up', 'Take own texts of a letter back')
  async reset(
    @ThePropertyWriteIfMatch() { caller, to, key, response, ifVersion }: PropertyWriteIfMatch,
    @Param('kind') kind: string,
    @Param('language') language: string,
  ) {
    const change = resetLetter(this.services, caller, { to, kind, language }, { key, ifVersion });
    const answer = shown((await response.db(change)).result);
    response.version(answer);
    return answer;
  }

  /** The letter with these texts as a guest would get it, about the stay of an invented guest; nothing is stored. */
  @Post(':kind/preview')
  @HttpCode(200)
  @Answers(contract.letterPreviewAnswer)
  @Needs('admin.read', 'Preview a letter')
  async preview(
    @ThePropertyRead() { to, response }: PropertyRead,
    @Param('kind') kind: string,
    @Body({ schema: contract.letterPreviewBody }) body: contract.LetterPreviewBody,
  ) {
    return response.db(previewLetter(this.services, { to, kind }, body));
  }
}

function shown({ kind, language, standard, template }: PropertyLetter): AnswerOf<typeof contract.letterAnswer> {
  const { texts: own = {}, version = 0, by = null, at = null } = template ?? {};
  return { kind, language, isOwn: Object.keys(own).length > 0, own, standard, version, changedBy: by, changedAt: at };
}
