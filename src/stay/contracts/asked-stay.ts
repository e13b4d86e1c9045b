import { z } from 'zod';

import { count, dayField, dayUseField, partyFields } from '../../kernel/contracts/answers.ts';
import { date, dayToCome, dayUse, party, roomTypeCode, textOr } from '../../kernel/contracts/fields.ts';
import { BAR } from '../../rates/rules/rate-plan.ts';

/** Fields of a stay before it is a reservation, in bodies and in answers. */

export const askedStay = {
  checkIn: dayToCome,
  checkOut: date,
  dayUse,
  ...party,
  roomType: roomTypeCode,
  rateCode: textOr(50, BAR),
};

export const askedStayAnswer = {
  checkIn: dayField,
  checkOut: dayField,
  dayUse: dayUseField,
  nights: count,
  ...partyFields,
  roomType: z.string(),
  rateCode: z.string(),
};
