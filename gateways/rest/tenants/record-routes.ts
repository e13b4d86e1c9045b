import { Delete, Get, Inject, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

import { listOf, removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import type { Done } from '../../../src/kernel/rules/administration.ts';
import type { Caller } from '../../../src/kernel/rules/caller.ts';
import { recordsQuery, type RecordsQuery } from '../../../src/tenants/contracts/tenants.ts';
import type { Permission } from '../../auth/permissions.ts';
import { type AnswerOf, Answers } from '../../http/answers.ts';
import type { Idempotency } from '../../http/idempotency.ts';
import { Body, Param, PathParams, Query } from '../../http/parameters.ts';
import { Needs, TheCaller } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';

/** Use cases for one kind of record of a tenant, for one caller and path. */
type Operations<Row, CreateBody, UpdateBody> = {
  list(query: RecordsQuery): Promise<{ items: Row[]; nextCursor?: string }>;
  create(body: CreateBody, key: Idempotency | undefined): Promise<Done<Row>>;
  get(id: string): Promise<Row>;
  update(id: string, body: UpdateBody, key: Idempotency | undefined): Promise<Done<Row>>;
  remove(id: string, key: Idempotency | undefined): Promise<Done<null>>;
  restore(id: string, key: Idempotency | undefined): Promise<Done<Row>>;
};

type Path = Record<string, string>;

type Kind<Row extends { id: string }, CreateBody, UpdateBody, Answer extends z.ZodObject> = {
  /** Parameter of the path that names one record. */
  id: string;
  needs: Record<'read' | 'set' | 'remove', Permission>;
  /** One line about each route, for the API document. */
  summaries: Record<keyof Operations<Row, CreateBody, UpdateBody>, string>;
  createBody: z.ZodType<CreateBody>;
  updateBody: z.ZodType<UpdateBody>;
  answer: Answer;
  render(row: Row): AnswerOf<Answer>;
  operations(services: Services, caller: Caller, path: Path): Operations<Row, CreateBody, UpdateBody>;
};

/**
 * The six routes of a kind of record that administrators keep: list, get, create, update, remove, restore. A controller
 * extends it and says where they are.
 */
export function recordRoutes<Row extends { id: string }, CreateBody, UpdateBody, Answer extends z.ZodObject>(
  kind: Kind<Row, CreateBody, UpdateBody, Answer>,
) {
  const { id: idName, needs, summaries, answer, render, operations } = kind;

  class RecordRoutes extends writesOf(kind) {
    @Get()
    @Answers(listOf(answer))
    @Needs(needs.read, summaries.list)
    async list(
      @TheRead() { caller, response }: Read,
      @PathParams() path: Path,
      @Query({ schema: recordsQuery }) query: RecordsQuery,
    ): Promise<{ items: AnswerOf<Answer>[]; nextCursor: string | null }> {
      const { items, nextCursor } = await operations(this.services, caller, path).list(query);
      return response.list(items.map(render), nextCursor);
    }

    @Get(`:${idName}`)
    @Answers(answer)
    @Needs(needs.read, summaries.get)
    async get(
      @TheCaller() caller: Caller,
      @PathParams() path: Path,
      @Param(idName) id: string,
    ): Promise<AnswerOf<Answer>> {
      return render(await operations(this.services, caller, path).get(id));
    }
  }
  return RecordRoutes;
}

function writesOf<Row extends { id: string }, CreateBody, UpdateBody, Answer extends z.ZodObject>(
  kind: Kind<Row, CreateBody, UpdateBody, Answer>,
) {
  const { id: idName, needs, summaries, createBody, updateBody, answer, render, operations } = kind;

  class RecordWrites {
    @Inject(SERVICES) protected readonly services!: Services;

    @Post()
    @Answers(answer, 201)
    @Needs(needs.set, summaries.create)
    async create(
      @TheWrite() { caller, key, response }: Write,
      @PathParams() path: Path,
      @Body({ schema: createBody }) body: CreateBody,
      @Req() { routeOptions }: FastifyRequest,
    ): Promise<AnswerOf<Answer>> {
      const { result: row } = response.stamp(await operations(this.services, caller, path).create(body, key));
      const list = routeOptions.url?.replaceAll(/:(\w+)/g, (_, name: string) => path[name] ?? '');
      response.header('location', `${list}/${row.id}`);
      return render(row);
    }

    @Put(`:${idName}`)
    @Answers(answer)
    @Needs(needs.set, summaries.update)
    async update(
      @TheWrite() { caller, key, response }: Write,
      @PathParams() path: Path,
      @Param(idName) id: string,
      @Body({ schema: updateBody }) body: UpdateBody,
    ): Promise<AnswerOf<Answer>> {
      return render(response.stamp(await operations(this.services, caller, path).update(id, body, key)).result);
    }

    @Delete(`:${idName}`)
    @Answers(removed)
    @Needs(needs.remove, summaries.remove)
    async remove(@TheWrite() { caller, key, response }: Write, @PathParams() path: Path, @Param(idName) id: string) {
      response.stamp(await operations(this.services, caller, path).remove(id, key));
      return { id, status: 'REMOVED' as const };
    }

    @Post(`:${idName}/restore`)
    @Answers(answer)
    @Needs(needs.set, summaries.restore)
    async restore(
      @TheWrite() { caller, key, response }: Write,
      @PathParams() path: Path,
      @Param(idName) id: string,
    ): Promise<AnswerOf<Answer>> {
      return render(response.stamp(await operations(this.services, caller, path).restore(id, key)).result);
    }
  }
  return RecordWrites;
}
