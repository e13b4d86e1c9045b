import type { TenantId } from '../../kernel/rules/ids.ts';
import { mailOfLetter, type MailText } from '../rules/message.ts';
import type { MailLetter, Posting } from './posting.ts';

/**
 * Writes a mail with the own texts of the property, where it has them. Texts that cannot be used, such as one that names
 * a value which only another release knows, stop no mail: the standard ones are sent.
 */
export async function writeMail(
  { templates, log }: Pick<Posting, 'templates' | 'log'>,
  tenantId: TenantId,
  { letter, property, texts }: MailLetter,
): Promise<MailText> {
  const { propertyId } = property;
  const { kind } = letter;
  const { language } = texts;
  const own = await templates.get({ tenantId, propertyId }, kind, language);
  if (own)
    try {
      return mailOfLetter(letter, property, texts, own.texts);
    } catch (error) {
      // The message of the error may contain data of the guest.
      const reason = error instanceof Error ? error.name : 'Error';
      log.warn({ propertyId, kind, language, reason }, 'own texts of a letter cannot be used; the standard ones are');
    }
  return mailOfLetter(letter, property, texts);
}
