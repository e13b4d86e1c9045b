import type { Services } from '../../kernel/operations/services.ts';
import { DomainError } from '../../kernel/rules/domain-error.ts';
import type { SurveyForm } from '../contracts/stay-survey.ts';
import type { StaySurvey } from '../rules/stay-survey.ts';
import { type OpenedByGuest, openGuestLink } from './guest-link.ts';

type Surveying = Pick<Services, 'signed' | 'reservations' | 'surveys' | 'clock'>;

/**
 * Reads a survey by its link, with the answer if there is one.
 * @throws DomainError RESERVATION_NOT_FOUND for a link of another service, LINK_EXPIRED
 */
export async function readSurvey(
  services: Surveying,
  link: string,
): Promise<OpenedByGuest & { survey?: StaySurvey }> {
  const opened = await openGuestLink(services, 'survey', link);
  return { ...opened, survey: await services.surveys.of(opened.tenantId, opened.reservation.id) };
}

/**
 * Stores a guest's answer to the survey. The first answer is final: a repeat changes nothing.
 * @throws DomainError RESERVATION_NOT_FOUND for a link of another service, LINK_EXPIRED, INVALID_STATE when the stay is
 * not over
 */
export async function answerSurvey(
  services: Surveying,
  link: string,
  { rating, comment }: SurveyForm,
): Promise<OpenedByGuest> {
  const opened = await openGuestLink(services, 'survey', link);
  const { tenantId, reservation } = opened;
  const stored = await services.surveys.store(tenantId, reservation.id, { rating, comment });
  if (!stored && (await services.surveys.of(tenantId, reservation.id)) === undefined)
    throw new DomainError('INVALID_STATE', 'A stay is judged when it is over.');
  return opened;
}
