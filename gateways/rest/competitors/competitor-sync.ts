import { Controller, Get, Inject, Post } from '@nestjs/common';

import * as contract from '../../../src/competitors/contracts/competitors.ts';
import { readCompetitorSync } from '../../../src/competitors/operations/read-competitor-sync.ts';
import { requestRefresh } from '../../../src/competitors/operations/request-refresh.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { Answers } from '../../http/answers.ts';
import { Query } from '../../http/parameters.ts';
import { Costly, Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { syncStatus } from './render/competitor-sync.ts';

const STATUS = '/api/v1/admin/competitor-sync/status';

/** Sources of competitors' rates and their state (docs/reference/rates.md#administration). */
@Controller('api/v1/admin/competitor-sync')
export class CompetitorSync {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Each source with its age and what was left out of its answers; with `jobId` the progress of that refresh. */
  @Get('status')
  @Answers(contract.syncStatusAnswer)
  @Needs('admin.read', 'Read when competitor rates were last synced')
  async status(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.syncStatusQuery }) { jobId }: contract.SyncStatusQuery,
  ) {
    return syncStatus(await response.db(readCompetitorSync(this.services, caller, jobId)));
  }

  /** Queries all sources for all properties of the tenant now, instead of within six hours. */
  @Post('refresh')
  @Answers(contract.refreshAnswer, 202, 'Begun.')
  @Needs('admin.run', 'Refresh competitor rates now')
  @Costly()
  async refresh(@TheWrite() { caller, key, response }: Write) {
    const { jobId } = response.stamp(await requestRefresh(this.services, caller, key));
    const statusUrl = `${STATUS}?jobId=${encodeURIComponent(jobId)}`;
    response.header('location', statusUrl);
    return { jobId, statusUrl };
  }
}
