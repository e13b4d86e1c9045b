import type { surveyAnswer } from '../../../../src/guests/contracts/stay-survey.ts';
import type { StaySurvey } from '../../../../src/guests/rules/stay-survey.ts';
import type { Caller } from '../../../../src/kernel/rules/caller.ts';
import type { ReservationId } from '../../../../src/kernel/rules/ids.ts';
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

const MARKS = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'];

/** The survey questions as a page without scripts. */
export function surveyQuestions({ name }: Property): string {
  const marks = MARKS.map(
    (mark, i) => `<label><input type="radio" name="rating" value="${i + 1}" required> ${i + 1} · ${mark}</label><br>`,
  );
  return `<h1>How was your stay?</h1><p>${pageText(name)} would like to know.</p>
<form method="post"><fieldset><legend>Your stay was</legend>${marks.join('')}</fieldset>
<p><label>Anything you would like to tell us<br>
<textarea name="comment" rows="5" maxlength="1000"></textarea></label></p><button>Send</button></form>`;
}

export function surveyThanks({ name }: Property): string {
  return `<h1>Thank you</h1><p>Your answer has reached ${pageText(name)}.</p>`;
}
