import { signal } from '@preact/signals';

import { randomKey } from '../../../../packages/client/src/retrying.ts';
import type { WireOf } from '../../../../src/kernel/contracts/answers.ts';
import type { propertyMessageListAnswer } from '../../../../src/notifications/contracts/stay-messages.ts';
import type { AdminStore } from '../admin.ts';
import { messageOf } from '../messages.ts';
import { NarrowedList } from '../narrowed-list.ts';
import { guestMessages as words } from './messages.ts';

type Messages = WireOf<typeof propertyMessageListAnswer>;
export type PropertyMessage = Messages['items'][number];

/** Filters by the names of their parameters in the address, and what the service calls them. */
const FILTERS = { kind: 'kind', state: 'status', reservation: 'q' } as const;
export type MessageFilterName = keyof typeof FILTERS;

/** Messages to guests of the property, with what became of them. */
export class MessageList extends NarrowedList<PropertyMessage, MessageFilterName> {
  readonly done = signal<string | undefined>(undefined);

  constructor(admin: AdminStore) {
    super(admin, { filters: FILTERS, path: () => `${admin.place().propertyPath}/messages` });
  }

  /** Sends a message once more that has not arrived, or may not have. */
  async sendAgain({ reservationId, messageId, confirmationNumber }: PropertyMessage): Promise<void> {
    if (this.busy.peek()) return;
    this.busy.value = true;
    const path = `/api/v1/reservations/${reservationId}/messages/${encodeURIComponent(messageId)}/send-again`;
    try {
      await this.admin.write({ service: 'reservation', method: 'POST', path }, randomKey());
      this.done.value = words.willBeSent(confirmationNumber ?? reservationId);
      await this.find();
    } catch (error) {
      this.trouble.value = messageOf(error);
    } finally {
      this.busy.value = false;
    }
  }
}
