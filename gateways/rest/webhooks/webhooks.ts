import { Controller, Delete, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/webhooks/contracts/webhooks.ts';
import { getWebhook, listDeliveries, listWebhooks } from '../../../src/webhooks/operations/read-webhooks.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replaceSecret,
  replayWebhook,
} from '../../../src/webhooks/operations/set-up-webhooks.ts';
import { testWebhook } from '../../../src/webhooks/operations/test-webhook.ts';
import type { ListedDelivery } from '../../../src/webhooks/ports.ts';
import type { Webhook } from '../../../src/webhooks/rules/webhook.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';

/** Addresses of other systems that are sent events (docs/reference/webhooks.md#webhooks). */
@Controller('api/v1/webhooks')
export class EventWebhooks {
  @Inject(SERVICES) protected readonly services!: Services;

  /** The secret is shown once; `snapshot` sends the state of each property before its events. */
  @Post()
  @Answers(contract.createdWebhookAnswer, 201)
  @Needs('property.set-up', 'Create a webhook')
  async create(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.createWebhookBody }) body: contract.CreateWebhookBody,
  ) {
    const { result } = response.stamp(await createWebhook(this.services, caller, body, key));
    response.header('location', `/api/v1/webhooks/${result.webhook.webhookId}`);
    return { ...wireWebhook(result.webhook), secret: result.secret };
  }

  /** Oldest first; a tenant has at most 20. */
  @Get()
  @Answers(contract.webhookListAnswer)
  @Needs('admin.read', 'List webhooks')
  async list(@TheRead() { caller, response }: Read) {
    return response.list((await response.db(listWebhooks(this.services, caller))).map(wireWebhook), undefined);
  }

  @Get(':webhookId')
  @Answers(contract.webhookAnswer)
  @Needs('admin.read', 'Read a webhook')
  async get(@TheRead() { caller, response }: Read, @Param('webhookId') id: string) {
    return wireWebhook(await response.db(getWebhook(this.services, caller, id)));
  }

  /** Replaces the settings; `status` pauses the webhook, or resumes it where it stopped. */
  @Put(':webhookId')
  @Answers(contract.webhookAnswer)
  @Needs('property.set-up', 'Change, pause or resume a webhook')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('webhookId') id: string,
    @Body({ schema: contract.changeWebhookBody }) body: contract.ChangeWebhookBody,
  ) {
    return wireWebhook(response.stamp(await changeWebhook(this.services, caller, id, body, key)).result);
  }

  @Delete(':webhookId')
  @Answers(removed)
  @Needs('admin.run', 'Delete a webhook')
  async remove(@TheWrite() { caller, key, response }: Write, @Param('webhookId') id: string) {
    response.stamp(await removeWebhook(this.services, caller, id, key));
    return { id, status: 'REMOVED' as const };
  }

  /** The former secret signs too for 24 hours. */
  @Post(':webhookId/secret')
  @HttpCode(200)
  @Answers(contract.webhookSecretAnswer)
  @Needs('admin.run', 'Replace the secret of a webhook')
  async secret(@TheWrite() { caller, key, response }: Write, @Param('webhookId') id: string) {
    const { webhook, secret } = response.stamp(await replaceSecret(this.services, caller, id, key)).result;
    return { webhookId: webhook.webhookId, secret, formerSecretUntil: webhook.formerSecretUntil ?? null };
  }

  /** Events keep their ids; a journal goes back 400 days. */
  @Post(':webhookId/replay')
  @HttpCode(200)
  @Answers(contract.replayAnswer)
  @Needs('admin.run', 'Send events again')
  async replay(
    @TheWrite() { caller, key, response }: Write,
    @Param('webhookId') id: string,
    @Body({ schema: contract.replayBody }) body: contract.ReplayBody,
  ) {
    return { properties: response.stamp(await replayWebhook(this.services, caller, id, body, key)).result };
  }

  /** Newest first; the last 1,000 are listed. */
  @Get(':webhookId/deliveries')
  @Answers(contract.deliveriesAnswer)
  @Needs('admin.read', 'List requests to a webhook')
  async deliveries(
    @TheRead() { caller, response }: Read,
    @Param('webhookId') id: string,
    @Query({ schema: contract.deliveriesQuery }) query: contract.DeliveriesQuery,
  ) {
    const { items, nextCursor } = await response.db(listDeliveries(this.services, caller, id, query));
    return response.list(items.map(wireDelivery), nextCursor);
  }

  /** Sends a message of type `webhook.test` at once and says how it was answered. */
  @Post(':webhookId/test')
  @HttpCode(200)
  @Answers(contract.webhookTestAnswer)
  @Needs('admin.run', 'Test a webhook')
  async test(@TheRead() { caller }: Read, @Param('webhookId') id: string) {
    const answer = await testWebhook(this.services, caller, id, Date.now());
    const { messageId, isTaken, durationMs, httpStatus = null, failure = null } = answer;
    return { messageId, delivered: isTaken, httpStatus, durationMs, failure };
  }
}

type DeliveryItem = AnswerOf<typeof contract.deliveriesAnswer>['items'][number];

function wireWebhook({ progress, topics, ...webhook }: Webhook): AnswerOf<typeof contract.webhookAnswer> {
  const { webhookId, url, description = null, propertyIds, status, createdAt, changedAt } = webhook;
  const { pausedBecause = null, pausedAt = null, formerSecretUntil = null } = webhook;
  const { behind, failingSince = null, nextAttemptAt = null, failure: lastFailure = null } = progress;
  return {
    webhookId,
    url,
    description,
    events: [...topics],
    propertyIds: propertyIds ? [...propertyIds] : null,
    status,
    pausedBecause,
    pausedAt,
    formerSecretUntil,
    behind,
    failingSince,
    nextAttemptAt,
    lastFailure,
    createdAt,
    changedAt,
  };
}

function wireDelivery({ topic: event, ...delivery }: ListedDelivery): DeliveryItem {
  const { httpStatus = null, failure = null } = delivery;
  return { ...delivery, event, httpStatus, failure };
}
