import { Controller, Get, Header } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { readFileSync } from 'node:fs';

/** Baseline of the quote: Nest and Fastify with one route that returns the same bytes, and nothing else. */
const body = readFileSync(process.env.BODY_FILE ?? '', 'utf8');

@Controller('api/v1/rates')
class Rates {
  @Get('current')
  @Header('content-type', 'application/json; charset=utf-8')
  current(): string {
    return body;
  }
}

// Nest needs a class as module; the controller serves as one.
const module = { module: Rates, controllers: [Rates] };
const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
console.log('ready');
