import { Controller, Get, Inject } from '@nestjs/common';

import type { Services } from '../../../src/kernel/operations/services.ts';
import * as invoices from '../../../src/money/contracts/invoices.ts';
import { getInvoice, listInvoices } from '../../../src/money/operations/find-invoices.ts';
import { Answers } from '../../http/answers.ts';
import { Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead } from '../answer.ts';
import { invoiceDocument } from './render/invoice.ts';

/** Invoices and credit notes as issued (docs/reference/invoices.md#invoices). */
@Controller('api/v1/invoices')
export class Invoices {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Documents of a property, by number. */
  @Get()
  @Answers(invoices.documentListAnswer)
  @Needs('reservation.read', 'List issued invoices or credit notes by number')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: invoices.invoicesQuery }) query: invoices.InvoicesQuery,
  ) {
    const { items, nextCursor } = await response.db(listInvoices(this.services, caller, query));
    return response.list(
      items.map((document) => invoiceDocument(document, caller)),
      nextCursor,
    );
  }

  /** A document by its number; its content never changes. */
  @Get(':number')
  @Answers(invoices.documentAnswer)
  @Needs('reservation.read', 'Read an issued invoice or credit note')
  async one(
    @TheRead() { caller, response }: Read,
    @Param('number') number: string,
    @Query({ schema: invoices.invoiceQuery }) { propertyId }: invoices.InvoiceQuery,
  ) {
    return invoiceDocument(await response.db(getInvoice(this.services, caller, propertyId, number)), caller);
  }
}
