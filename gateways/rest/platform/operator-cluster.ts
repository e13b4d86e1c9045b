import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import { clusterAnswer, type nodeAnswer } from '../../../src/platform/coordination/contracts/cluster-report.ts';
import type { ClusterReports, NodeReport } from '../../../src/platform/coordination/ports.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { OperatorOnly } from '../../http/route.ts';
import { SERVICES } from '../answer.ts';

/** Provides the `ClusterReports`. */
export const CLUSTER_REPORTS = Symbol('cluster reports');

/** The nodes of the installation, for operators. */
@Controller('ops/cluster')
export class OperatorCluster {
  @Inject(CLUSTER_REPORTS) protected readonly reports!: ClusterReports;
  @Inject(SERVICES) protected readonly services!: Services;

  @Get()
  @Answers(clusterAnswer)
  @OperatorOnly('Read the state of all nodes')
  async nodes() {
    const { reports, missing } = await this.reports.all();
    const sorted = reports.toSorted((a, b) => a.nodeId.localeCompare(b.nodeId));
    return { at: this.services.clock.now(), reports: sorted.map(renderNode), missing };
  }
}

function renderNode({
  startedAt,
  takeOvers,
  shards,
  rounds,
  links,
  ...rest
}: NodeReport): AnswerOf<typeof nodeAnswer> {
  const { calls, failures } = links;
  return {
    ...rest,
    ...(rounds && { rounds: [...rounds] }),
    startedAt,
    shards: [...shards],
    links: { calls, failures },
    takeOvers: takeOvers.map(({ at, ...one }) => ({ ...one, at })),
  };
}
