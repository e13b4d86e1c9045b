import type { surveyAnswer } from '../../../../src/guests/contracts/stay-survey.ts';
import type { StaySurvey } from '../../../../src/guests/rules/stay-survey.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { ReservationId } from '../../../../src/kernel/rules/ids.ts';
import type { LetterKey, LetterTexts } from '../../../../src/notifications/rules/letter-texts.ts';
import type { Property } from '../../../../src/properties/rules/property.ts';
import type { AnswerOf } from '../../../http/answers.ts';
import { pageText } from '../../page.ts';

/** Survey answers for the property; masked for a VIEWER. */
export function survey(
  reservationId: ReservationId,
  said: StaySurvey | undefined,
  { role }: Pick<Caller, 'role'>,
): AnswerOf<typeof surveyAnswer> {
  return {
    reservationId,
    rating: said?.rating ?? null,
    comment: role === 'VIEWER' ? null : (said?.comment ?? null),
    answeredAt: said?.answeredAt ?? null,
  };
}

const RATINGS = ['survey.rating1', 'survey.rating2', 'survey.rating3', 'survey.rating4', 'survey.rating5'] as const;

/** The survey questions as a page without scripts. */
export function surveyQuestions({ name: property }: Property, texts: LetterTexts): string {
  const say = (key: LetterKey): string => pageText(texts.text(key, { property }));
  const marks = RATINGS.map(
    (key, i) =>
      `<label><input type="radio" name="rating" value="${i + 1}" required> ${i + 1} · ${say(key)}</label><br>`,
  );
  return `<h1>${say('survey.question')}</h1><p>${say('survey.why')}</p>
<form method="post"><fieldset><legend>${say('survey.legend')}</legend>${marks.join('')}</fieldset>
<p><label>${say('survey.comment')}<br>
<textarea name="comment" rows="5" maxlength="1000"></textarea></label></p><button>${say('survey.send')}</button></form>`;
}

export function surveyThanks({ name: property }: Property, texts: LetterTexts): string {
  return `<h1>${pageText(texts.text('survey.thanks'))}</h1><p>${pageText(texts.text('survey.reached', { property }))}</p>`;
}
