import { v5 as uuidv5 } from 'uuid';

import type { Clock, Delivery, Log, PartnerState } from '../../kernel/ports.ts';
import type { TenantId } from '../../kernel/rules/ids.ts';
import type { Instant } from '../../kernel/rules/property-time.ts';
import { letterTextsIn } from '../contracts/letter-texts.ts';
import type { InvitationLetters, LeasedInvitation, Mail, MailSender } from '../ports.ts';
import { invitationLetter } from '../rules/invitation-letter.ts';
import { mailOfLetter } from '../rules/message.ts';
import { pauseAfter } from '../rules/notification.ts';
import { CUT_OFF_MS } from './posting.ts';

/** Of one round. */
const AT_ONCE = 8;

/** Ids of mails are derived from the letter, so each copy has the same. */
const NAMESPACE = '8f7f2f4c-52a6-4d0a-9c0e-3b6f1e4f7a55';

type Inviting = {
  letters: InvitationLetters;
  mail?: MailSender;
  /** Address at which somebody signs in to a tenant. */
  signInUrl(tenantId: TenantId): string;
  clock: Clock;
  log: Log;
};

type Outcome = Parameters<InvitationLetters['record']>[2];

/**
 * Sends some letters of invitations that are due, as messages to guests are sent: noted before it is handed over, tried
 * again while it was certainly not accepted, and never after it may have arrived. An invitation that was revoked or
 * used, or has expired, has no letter any more.
 */
export async function sendInvitations(
  { letters, mail: sender, signInUrl, clock, log }: Inviting,
  tenantId: TenantId,
  signal: AbortSignal,
): Promise<{ taken: number; partner: PartnerState }> {
  if (!sender || signal.aborted) return { taken: 0, partner: 'NOT_ASKED' };
  const now = clock.now();
  const due = await letters.lease(tenantId, now, now + CUT_OFF_MS, AT_ONCE);
  const url = signInUrl(tenantId);
  const partners = await Promise.all(
    due.map(async (one) => {
      const delivery = await deliver(sender, mailOf(tenantId, one, url), signal);
      const outcome = outcomeOf(one, delivery, clock.now());
      await letters.record(tenantId, one, outcome);
      if (outcome.letterState === 'FAILED' || outcome.letterState === 'UNKNOWN')
        log.warn(
          { invitationId: one.id, reason: outcome.letterError },
          'a letter of an invitation may not have arrived',
        );
      return delivery.outcome;
    }),
  );
  if (partners.length === 0) return { taken: 0, partner: 'NOT_ASKED' };
  const isAway = partners.every((outcome) => outcome === 'AWAY' || outcome === 'UNKNOWN');
  return { taken: due.length, partner: isAway ? 'AWAY' : 'ANSWERS' };
}

function mailOf(tenantId: TenantId, invited: LeasedInvitation, url: string): Mail {
  const { id, email, tenant, replyTo, letterAt, letterLanguage } = invited;
  const texts = letterTextsIn(letterLanguage);
  const letter = invitationLetter({ ...invited, url }, texts);
  return {
    messageId: uuidv5([tenantId, id, letterAt].join('\n'), NAMESPACE),
    about: { tenantId, reservationId: id, kind: 'INVITATION' },
    ...mailOfLetter(letter, { name: tenant }, texts),
    to: { name: letter.to, address: email },
    from: { name: tenant, ...(replyTo !== undefined && { replyTo }) },
  };
}

async function deliver(sender: MailSender, mail: Mail, signal: AbortSignal): Promise<Delivery> {
  try {
    return await sender.send(mail, signal);
  } catch (error) {
    // A bug in the adapter: how far the delivery came is unknown.
    return { outcome: 'UNKNOWN', reason: error instanceof Error ? error.name : 'Error' };
  }
}

function outcomeOf({ letterAttempts }: LeasedInvitation, delivery: Delivery, now: Instant): Outcome {
  switch (delivery.outcome) {
    case 'SENT':
      return { letterState: 'SENT', letterDueAt: now, letterSentAt: now };
    case 'REFUSED':
      return { letterState: 'FAILED', letterDueAt: now, letterError: delivery.reason };
    case 'UNKNOWN':
      return { letterState: 'UNKNOWN', letterDueAt: now, letterError: delivery.reason };
    case 'AWAY':
    case 'DEFERRED': {
      const pause = pauseAfter(letterAttempts);
      const letterState = pause === undefined ? 'FAILED' : 'WAITING';
      return { letterState, letterDueAt: now + (pause ?? 0), letterError: delivery.reason };
    }
  }
}
