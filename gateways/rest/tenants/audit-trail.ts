import { Controller, Get, Inject } from '@nestjs/common';
import { ApiProduces } from '@nestjs/swagger';
import { z } from 'zod';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as contract from '../../../src/tenants/contracts/audit-trail.ts';
import { readAuditTrail } from '../../../src/tenants/operations/read-audit-trail.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Header, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { acceptsCsv, CSV_TYPE } from '../csv.ts';
import { AUDIT_HEAD, auditEntry, auditLine } from './render/audit-trail.ts';

/** Entries of a list when nothing is said (docs/reference/api.md#lists). */
const LISTED = 50;

/** Every write of a tenant, by whom and when (docs/concepts/audit-trail.md#query-it). */
@Controller('api/v1/admin/audit-trail')
export class AuditTrail {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Newest first: journals of all properties and of administration. As CSV or NDJSON in larger pages. */
  @Get()
  @Answers(contract.auditTrailAnswer)
  @ApiProduces('application/json', 'text/csv', 'application/x-ndjson')
  @Needs('admin.read', 'Read the audit trail')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.auditTrailQuery }) query: contract.AuditTrailQuery,
    @Header('accept') accept: string | undefined,
  ): Promise<AnswerOf<typeof contract.auditTrailAnswer> | Buffer> {
    const format = query.format ?? formatOf(accept);
    const lines: string[] = format === 'csv' ? [AUDIT_HEAD] : [];
    const lineOf = format === 'csv' ? auditLine : (entry: object): string => `${JSON.stringify(entry)}\n`;
    const items: AnswerOf<typeof contract.auditTrailEntry>[] = [];
    const limit = query.limit ?? (format === 'json' ? LISTED : contract.MAX_EXPORTED);
    const read = readAuditTrail(this.services, caller, { ...query, limit }, ({ rows, opened }) => {
      for (const row of rows) {
        const entry = auditEntry(row, opened);
        if (format === 'json') items.push(entry);
        else lines.push(lineOf(z.encode(contract.auditTrailEntry, entry)));
      }
    });
    const { nextCursor } = await response.db(read);
    const answer = response.list(items, nextCursor);
    response.header('vary', 'accept');
    if (format === 'json') return answer;
    if (nextCursor !== undefined) response.header('x-next-cursor', nextCursor);
    response.header('content-type', TYPES[format]);
    response.header('content-disposition', `attachment; filename="audit-trail.${format}"`);
    return Buffer.from(lines.join(''));
  }
}

const TYPES = { csv: CSV_TYPE, ndjson: 'application/x-ndjson; charset=utf-8' };

function formatOf(accept = ''): contract.AuditFormat {
  if (acceptsCsv(accept)) return 'csv';
  return /\bapplication\/(x-)?ndjson\b/.test(accept) ? 'ndjson' : 'json';
}
