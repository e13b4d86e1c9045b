import { Controller, Delete, Get, Inject, Post, Put } from '@nestjs/common';

import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import * as companies from '../../../src/money/contracts/companies.ts';
import { getCompany, listCompanies, readLedger } from '../../../src/money/operations/find-companies.ts';
import { receiveCompanyPayment } from '../../../src/money/operations/receive-company-payment.ts';
import { changeCompany, createCompany, removeCompany } from '../../../src/money/operations/set-up-companies.ts';
import { type AccountEntry, entryText } from '../../../src/money/rules/company.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';

/** Companies that stays are invoiced to, with their ledgers (docs/reference/companies.md#companies). */
@Controller('api/v1/companies')
export class Companies {
  @Inject(SERVICES) protected readonly services!: Services;

  @Post()
  @Answers(companies.companyAnswer, 201)
  @Needs('company.set', 'Create a company that stays are invoiced to')
  async create(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: companies.companyBody }) body: companies.CompanyBody,
  ) {
    const { result } = response.stamp(await createCompany(this.services, caller, body, key));
    response.header('location', `/api/v1/companies/${result.companyId}`);
    return result;
  }

  /** Newest first; `name` matches a part of it, ignoring case. */
  @Get()
  @Answers(companies.companyListAnswer)
  @Needs('company.read', 'List companies')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: companies.companiesQuery }) query: companies.CompaniesQuery,
  ) {
    const { items, nextCursor } = await response.db(listCompanies(this.services, caller, query));
    return response.list(items, nextCursor);
  }

  @Get(':companyId')
  @Answers(companies.companyAnswer)
  @Needs('company.read', 'Read a company')
  async get(@TheRead() { caller, response }: Read, @Param('companyId') id: string) {
    return response.db(getCompany(this.services, caller, id));
  }

  /** Replaces the company: absent fields are removed. */
  @Put(':companyId')
  @Answers(companies.companyAnswer)
  @Needs('company.set', 'Change a company')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('companyId') id: string,
    @Body({ schema: companies.companyBody }) body: companies.CompanyBody,
  ) {
    return response.stamp(await changeCompany(this.services, caller, id, body, key)).result;
  }

  /** Refused while its balance is open, or an open reservation or a rate plan names it. */
  @Delete(':companyId')
  @Answers(removed)
  @Needs('company.set', 'Delete a company')
  async remove(@TheWrite() { caller, key, response }: Write, @Param('companyId') id: string) {
    response.stamp(await removeCompany(this.services, caller, id, key));
    return { id, status: 'REMOVED' as const };
  }

  /** Newest first, with the balance at the end of the period. */
  @Get(':companyId/ledger')
  @Answers(companies.ledgerAnswer)
  @Needs('company.read', 'Read what a company owes and has paid')
  async ledger(
    @TheRead() { caller, response }: Read,
    @Param('companyId') id: string,
    @Query({ schema: companies.ledgerQuery }) query: companies.LedgerQuery,
  ) {
    const { items, nextCursor, ...account } = await response.db(readLedger(this.services, caller, id, query));
    return { ...response.list(items.map(wireEntry), nextCursor), ...account };
  }

  /** Records a payment of the company, by any method. */
  @Post(':companyId/payments')
  @Answers(companies.ledgerEntryAnswer, 201)
  @Needs('company.pay', 'Record money received from a company')
  async receive(
    @TheWrite() { caller, key, response }: Write,
    @Param('companyId') id: string,
    @Body({ schema: companies.companyPaymentBody }) body: companies.CompanyPaymentBody,
  ) {
    return wireEntry(response.stamp(await receiveCompanyPayment(this.services, caller, id, body, key)).result);
  }
}

function wireEntry(entry: AccountEntry): AnswerOf<typeof companies.ledgerEntryAnswer> {
  const { method: _inWords, ...line } = entry;
  return { ...line, description: entryText(entry) };
}
