import { ms, presentSql } from '../../platform/database/load-sql.ts';
import type { PauseReason, Webhook, WebhookStatus } from '../rules/webhook.ts';

/** SQL of a webhook with its progress. Parameter: tenant. */
export const WEBHOOK = `
  select ${presentSql(`json_build_object('webhookId', w.id, 'url', w.url, 'description', w.description,
    'topics', w.topics, 'propertyIds', s.property_ids, 'status', s.status, 'pausedBecause', w.paused_because,
    'pausedAt', ${ms('w.paused_at')}, 'createdAt', ${ms('w.created_at')}, 'changedAt', ${ms('w.changed_at')},
    'formerSecretUntil', case when w.former_until > app_now() then ${ms('w.former_until')} end,
    'behind', coalesce(p.behind, 0), 'failingSince', ${ms('p.failing_since')}, 'nextAttemptAt', ${ms('p.retry_at')},
    'failure', p.failure)`)} as one
  from webhooks w
  join subscriptions s using (tenant_id, id)
  left join lateral (
    select sum(greatest(a.seq - coalesce(c.seq, 0), 0))::float8 as behind, min(c.failing_since) as failing_since,
      (array_agg(c.retry_at order by c.failing_since) filter (where c.failing_since is not null))[1] as retry_at,
      (array_agg(c.failure order by c.failing_since) filter (where c.failing_since is not null))[1] as failure
    from property_actor a
    left join subscription_cursors c
      on c.tenant_id = a.tenant_id and c.subscription_id = s.id and c.property_id = a.property_id
    where a.tenant_id = s.tenant_id and (s.property_ids is null or a.property_id = any (s.property_ids))
      and not system.is_sandbox(a.property_id)) as p on true
  where w.tenant_id = ?`;

type Progress = { behind: number; failingSince?: number; nextAttemptAt?: number; failure?: string };
type Row = Omit<Webhook, 'progress' | 'status' | 'pausedBecause'> &
  Progress & { status: string; pausedBecause?: string };

export type WebhookRow = { one: Row };

export function webhookOf({ one }: WebhookRow): Webhook {
  const { behind, failingSince, nextAttemptAt, failure, status, pausedBecause, ...webhook } = one;
  return {
    ...webhook,
    status: status as WebhookStatus,
    ...(pausedBecause !== undefined && { pausedBecause: pausedBecause as PauseReason }),
    progress: { behind, failingSince, nextAttemptAt, failure },
  };
}

/** Settings for the audit trail, without secrets and progress; of an address only its host: its path may be a secret. */
export function imageOfWebhook({ url, topics, propertyIds, status, pausedBecause, description }: Webhook): object {
  return { host: URL.parse(url)?.host, description, events: topics, propertyIds, status, pausedBecause };
}
