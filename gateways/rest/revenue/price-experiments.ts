import { Controller, Get, Inject, Post } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import * as contract from '../../../src/revenue/contracts/price-experiments.ts';
import { beginExperiment } from '../../../src/revenue/operations/price-experiments/begin-experiment.ts';
import {
  listExperiments,
  readExperiment,
} from '../../../src/revenue/operations/price-experiments/read-experiments.ts';
import { stopExperiment } from '../../../src/revenue/operations/price-experiments/switch-rates.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';
import { renderExperiment, renderExperimentResult } from './render/price-experiments.ts';

/** Rates that are tried on drawn days (docs/reference/price-experiments.md#price-experiments). */
@Controller('api/v1/rates/experiments')
export class Experiments {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Draws the days, and switches the rates of the plan on each of them. */
  @Post()
  @Answers(contract.experimentResultAnswer, 201)
  @Needs('plan.set', 'Begin an experiment with rates')
  async begin(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.experimentBody }) body: contract.ExperimentBody,
  ) {
    const { id } = response.stamp(await beginExperiment(this.services, caller, body, key)).result;
    response.header('location', `/api/v1/rates/experiments/${id}`);
    return this.#read(caller, id);
  }

  /** Experiments of a property, newest first. */
  @Get()
  @Answers(contract.experimentListAnswer)
  @Needs('revenue.read', 'List experiments with rates')
  async list(
    @TheRead() { caller: { tenantId }, response }: Read,
    @Query({ schema: contract.experimentsQuery }) { propertyId }: contract.ExperimentsQuery,
  ) {
    const found = await response.db(listExperiments(this.services, { tenantId, propertyId }));
    return { propertyId, items: found.map(renderExperiment) };
  }

  /** An experiment with what its days have brought so far, and once it has ended what can be said of it. */
  @Get(':experimentId')
  @Answers(contract.experimentResultAnswer)
  @Needs('revenue.read', 'Read an experiment with rates')
  async get(@TheRead() { caller, response }: Read, @Param('experimentId') id: string) {
    return renderExperimentResult(await response.db(readExperiment(this.services, caller, id)));
  }

  /** Ends an experiment before its last day; the plan gets back what it had. */
  @Post(':experimentId/stop')
  @Answers(contract.experimentResultAnswer)
  @Needs('plan.set', 'Stop an experiment with rates')
  async stop(@TheWrite() { caller, key, response }: Write, @Param('experimentId') id: string) {
    response.stamp(await stopExperiment(this.services, caller, id, key));
    return this.#read(caller, id);
  }

  async #read(caller: Caller, id: string): Promise<AnswerOf<typeof contract.experimentResultAnswer>> {
    return renderExperimentResult(await readExperiment(this.services, caller, id));
  }
}
