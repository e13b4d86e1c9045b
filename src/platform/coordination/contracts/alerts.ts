import { z } from 'zod';

import { at } from '../../../kernel/contracts/answers.ts';

/** Alerts of ops/alerts.yml by the service's own figures (docs/operations/health.md#alerts-without-prometheus). */

const ALERT_STATES = ['FIRING', 'PENDING', 'QUIET'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

const alertAnswer = z.object({
  name: z.string().meta({ examples: ['RelayBehind'] }),
  severity: z.enum(['page', 'ticket']),
  summary: z.string(),
  state: z.enum(ALERT_STATES).describe('PENDING: it holds, but not for long enough yet.'),
  since: at.optional().describe('Since when it holds.'),
  nodes: z.array(z.string()).describe('Nodes where it holds.'),
  limits: z.string().optional().describe('What the service cannot see by itself, and Prometheus can.'),
});

export const alertsAnswer = z.object({
  at,
  alerts: z.array(alertAnswer).describe('Those that fire first.'),
  missing: z.array(z.object({ nodeId: z.string(), why: z.string() })),
});
export type AlertsAnswer = z.input<typeof alertsAnswer>;
export type AlertAnswer = z.input<typeof alertAnswer>;

export const runbookAnswer = z.object({
  name: z.string(),
  text: z.string().describe('The page of the runbook, in Markdown.'),
});
export type RunbookAnswer = z.input<typeof runbookAnswer>;
