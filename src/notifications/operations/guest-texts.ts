import { loyaltySince } from '../../guests/operations/loyalty.ts';
import type { Services } from '../../kernel/operations/services.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Property } from '../../properties/rules/property.ts';
import type { Reservation } from '../../stay/rules/reservation.ts';
import { letterTextsIn } from '../contracts/letter-texts.ts';
import { type LetterTexts, messageLanguage } from '../rules/letter-texts.ts';

/** Texts in the language of the guest of a stay (docs/reference/guests.md#language). */
export async function guestTexts(
  services: Parameters<typeof loyaltySince>[0] & Pick<Services, 'guestBook'>,
  tenantId: TenantId,
  { reservation: { guest }, property }: { reservation: Reservation; property: Property },
): Promise<LetterTexts> {
  const profile = await services.guestBook.get(tenantId, guest.guestId, loyaltySince(services));
  return letterTextsIn(messageLanguage(guest, profile?.language, property));
}
