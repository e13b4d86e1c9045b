import { Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiConsumes, ApiProduces } from '@nestjs/swagger';
import { z } from 'zod';

import * as contract from '../../../src/imports/contracts/imports.ts';
import { beginImport, rerunImport, uploadImport } from '../../../src/imports/operations/begin-import.ts';
import {
  getImport,
  listImportLines,
  listImports,
  type ReconciledImport,
} from '../../../src/imports/operations/read-imports.ts';
import { sampleImport } from '../../../src/imports/operations/sample-import.ts';
import type { ImportedLine } from '../../../src/imports/ports.ts';
import { LISTED_LINES, MAX_FILE_LINES } from '../../../src/imports/rules/import.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Minor } from '../../../src/kernel/rules/money.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Header, Param, Query } from '../../http/parameters.ts';
import { Needs, StaysHere, TakesImport } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { csvFile, wantsFile } from '../csv.ts';

const importBody = z
  .custom<Buffer>((body) => Buffer.isBuffer(body) && body.length > 0, 'is no file')
  .meta({ type: 'string', format: 'binary' });

type Report = AnswerOf<typeof contract.importReportAnswer>;

/** Files of other systems (docs/reference/import.md#requests). */
@Controller('api/v1/imports')
export class Imports {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Takes the body as a file of CSV or NDJSON, or several in an archive; it is imported behind the answer. */
  @Post()
  @Answers(contract.importAnswer, 202)
  @Needs('property.set-up', 'Import reservations of another system')
  @TakesImport()
  @ApiConsumes('text/csv', 'application/x-ndjson', 'application/zip', 'application/gzip')
  @StaysHere()
  async begin(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.importQuery }) query: contract.ImportQuery,
    @Body({ schema: importBody }) bytes: Buffer,
  ) {
    const of = await response.db(beginImport(this.services, caller, query, bytes));
    response.header('location', `/api/v1/imports/${of.importId}`);
    return wireImport({ of });
  }

  /** Imports of a property, newest first. */
  @Get()
  @Answers(contract.importListAnswer)
  @Needs('admin.read', 'List imports')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.importsQuery }) query: contract.ImportsQuery,
  ) {
    const { items, nextCursor } = await response.db(listImports(this.services, caller, query));
    const answer = response.list(
      items.map((of) => wireImport({ of })),
      nextCursor,
    );
    return { ...answer, maxBytes: this.services.importMaxBytes };
  }

  /** Stores the body to be looked at: nothing is read of it but what it is. */
  @Post('uploads')
  @Answers(contract.importAnswer, 201)
  @Needs('property.set-up', 'Send a file that is mapped and imported later')
  @TakesImport()
  @ApiConsumes('text/csv', 'application/x-ndjson', 'application/zip', 'application/gzip')
  @StaysHere()
  async upload(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.uploadQuery }) query: contract.UploadQuery,
    @Body({ schema: importBody }) bytes: Buffer,
  ) {
    const of = await response.db(uploadImport(this.services, caller, query, bytes));
    response.header('location', `/api/v1/imports/${of.importId}`);
    return wireImport({ of });
  }

  @Get(':importId')
  @Answers(contract.importDetailAnswer)
  @Needs('admin.read', 'Read an import')
  async get(@TheRead() { caller, response }: Read, @Param('importId') id: string) {
    const { mapping, problems, ...found } = await response.db(getImport(this.services, caller, id));
    return { ...wireImport(found), mapping, problems };
  }

  /** How the files are read: columns, first rows, and a mapping to begin with. */
  @Get(':importId/sample')
  @Answers(contract.importSampleAnswer)
  @Needs('admin.read', 'Read the first rows of an import, and a suggested mapping')
  @StaysHere()
  async sample(
    @TheRead() { caller, response }: Read,
    @Param('importId') id: string,
    @Query({ schema: contract.sampleQuery }) query: contract.SampleQuery,
  ) {
    return response.db(sampleImport(this.services, caller, id, query));
  }

  /** Runs what was sent, for a trial or in earnest, behind the answer. */
  @Post(':importId/runs')
  @Answers(contract.importAnswer, 202)
  @Needs('property.set-up', 'Run what was sent for an import, with a mapping')
  @StaysHere()
  async run(
    @TheRead() { caller, response }: Read,
    @Param('importId') id: string,
    @Body({ schema: contract.importRunBody }) body: contract.ImportRunBody,
  ) {
    return wireImport({ of: await response.db(rerunImport(this.services, caller, id, body)) });
  }

  /** What became of each line, in order. */
  @Get(':importId/report')
  @Answers(contract.importReportAnswer)
  @ApiProduces('application/json', 'text/csv')
  @Needs('admin.read', 'Read what became of the lines of an import')
  async report(
    @TheRead() { caller, response }: Read,
    @Param('importId') id: string,
    @Query({ schema: contract.importReportQuery }) query: contract.ImportReportQuery,
    @Header('accept') accept: string | undefined,
  ): Promise<Report | Buffer> {
    const asFile = wantsFile(query, accept);
    const limit = query.limit ?? (asFile ? MAX_FILE_LINES : LISTED_LINES);
    const read = await response.db(listImportLines(this.services, caller, id, { ...query, limit }));
    const answer = response.list(read.items.map(wireImportLine), read.nextCursor);
    response.header('vary', 'accept');
    if (!asFile) return answer;
    if (answer.nextCursor !== null) response.header('x-next-cursor', answer.nextCursor);
    return csvFile(response, `import-${id}`, contract.reportedLine, answer.items);
  }
}

const sumsOf = (charges: Minor, payments: Minor) => {
  const balance: Minor = charges - payments;
  return { charges, payments, balance };
};

function wireImport({ of, figures, differences = [] }: ReconciledImport): AnswerOf<typeof contract.importAnswer> {
  const { counts, failure = null, finishedAt = null, ...shown } = of;
  const { CREATED: created = 0, UNCHANGED: unchanged = 0, CHANGED: changed = 0, REFUSED: refused = 0 } = counts;
  const reconciliation = figures && {
    reservations: figures.reservations,
    read: sumsOf(figures.read.charges, figures.read.payments),
    stored: sumsOf(figures.stored.charges, figures.stored.payments),
    differences: differences.map(({ file, line, externalId, ...one }) => ({
      file,
      line,
      externalId,
      read: sumsOf(one.charges, one.paid),
      stored: sumsOf(one.storedCharges, one.storedPaid),
    })),
  };
  const answer = { ...shown, counts: { created, unchanged, changed, refused } };
  return { ...answer, reconciliation: reconciliation ?? null, failure, finishedAt };
}

function wireImportLine({ file, line, kind, outcome, ...more }: ImportedLine): Report['items'][number] {
  const { externalId = null, code = null, reason = null, recordId = null } = more;
  return { file, line, kind, externalId, outcome, code, reason, recordId };
}
