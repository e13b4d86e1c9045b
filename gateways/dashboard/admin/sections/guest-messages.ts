import { MessagesView } from '../guest-messages/messages-view.tsx';
import { guestMessages as words } from '../guest-messages/messages.ts';
import type { Section } from '../section.ts';

/** Mails and text messages to guests (docs/reference/desk.md#messages). */
export const messagesSection: Section = {
  lead: words.lead,
  View: MessagesView,
};
