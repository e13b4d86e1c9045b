import type { Clock, Delivery } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Mail, MailSender, DevMailbox, DevMessage, Sms, SmsSender } from '../ports.ts';

/** Stored messages of all tenants; older ones are dropped. */
const MAX_STORED = 1_000;

/** Replaces mail server and SMS partner in development; in memory, because messages must not be stored unencrypted. */
export class MemoryMailbox implements DevMailbox {
  readonly mail: MailSender = {
    send: async (mail: Mail) => {
      const { to, subject, text, html } = mail;
      return this.#store(mail, { channel: 'MAIL', to: to.address, subject, text, html });
    },
  };
  readonly sms: SmsSender = {
    send: async (sms: Sms) =>
      this.#store(sms, { channel: 'SMS', to: sms.to, subject: null, text: sms.text, html: null }),
  };

  readonly #clock: Clock;
  readonly #limit: number;
  #stored: (DevMessage & { tenantId: TenantId })[] = [];

  constructor(clock: Clock, maxStored = MAX_STORED) {
    this.#clock = clock;
    this.#limit = maxStored;
  }

  of(tenantId: TenantId): DevMessage[] {
    return this.#stored.flatMap(({ tenantId: whose, ...message }) => (whose === tenantId ? [message] : []));
  }

  forget(tenantId: TenantId, reservationIds: readonly string[]): void {
    const forgotten = new Set(reservationIds);
    this.#stored = this.#stored.filter((one) => one.tenantId !== tenantId || !forgotten.has(one.reservationId));
  }

  #store(
    { messageId: id, about }: Pick<Mail, 'messageId' | 'about'>,
    content: Pick<DevMessage, 'channel' | 'to' | 'subject' | 'text' | 'html'>,
  ): Delivery {
    this.#stored.push({ id, ...about, ...content, sentAt: this.#clock.now() });
    if (this.#stored.length > this.#limit) this.#stored.shift();
    return { outcome: 'SENT' };
  }
}
