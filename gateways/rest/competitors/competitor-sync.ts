import { Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import {
  refreshAnswer,
  syncStatusAnswer,
  type SyncStatusQuery,
  syncStatusQuery,
} from '../../../src/competitors/contracts/competitors.ts';
import { readCompetitorSync } from '../../../src/competitors/operations/read-competitor-sync.ts';
import { requestRefresh } from '../../../src/competitors/operations/request-refresh.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { type Idempotency, IdempotencyKey } from '../../http/idempotency.ts';
import { Costly, Needs, HttpReply, TheCaller } from '../../http/route.ts';
import { SERVICES, timed } from '../answer.ts';
import { syncStatus } from './render/competitor-sync.ts';

const STATUS = '/api/v1/admin/competitor-sync/status';

/** What is known of competitors, and from whom (docs/reference/rates.md#administration). */
@Controller('api/v1/admin/competitor-sync')
export class CompetitorSync {
  readonly #services: Services;

  constructor(@Inject(SERVICES) services: Services) {
    this.#services = services;
  }

  /** Each source with its age and what was left out of its answers; with `jobId` how far that refresh is. */
  @Get('status')
  @Answers(syncStatusAnswer)
  @Needs('admin.read')
  async status(
    @TheCaller() caller: Caller,
    @Query({ schema: syncStatusQuery }) { jobId }: SyncStatusQuery,
    @HttpReply() reply: FastifyReply,
  ): Promise<AnswerOf<typeof syncStatusAnswer>> {
    return syncStatus(await timed(reply, 'db', readCompetitorSync(this.#services, caller, jobId)));
  }

  /** Asks all sources about all properties of the tenant now, instead of within six hours. */
  @Post('refresh')
  @Answers(refreshAnswer, 202, 'Begun.')
  @HttpCode(202)
  @Needs('admin.run')
  @Costly()
  async refresh(
    @TheCaller() caller: Caller,
    @IdempotencyKey() key: Idempotency | undefined,
    @HttpReply() reply: FastifyReply,
  ): Promise<{ jobId: string; statusUrl: string }> {
    const { jobId, replayed } = await requestRefresh(this.#services, caller, key);
    const statusUrl = `${STATUS}?jobId=${encodeURIComponent(jobId)}`;
    reply.header('location', statusUrl);
    if (replayed) reply.header('idempotency-replayed', 'true');
    return { jobId, statusUrl };
  }
}
