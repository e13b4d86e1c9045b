import { PROPERTY_DEPS_METADATA } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';

import { declareParameterTypes } from '../../gateways/rest/described.ts';
import { describeApi } from '../../gateways/rest/docs.ts';
import { apiControllersOf, TITLES } from '../wiring/service-module.ts';

/**
 * The OpenAPI document of a service (docs/reference/api.md#api), made without starting one: controllers are read and
 * not built. Without the actuator and the parts of development.
 */
export async function apiDocument(name: 'rate' | 'reservation'): Promise<OpenAPIObject> {
  const controllers = apiControllersOf(name);
  const providers = controllers.flatMap(injectedInto).map((provide) => ({ provide, useValue: {} }));
  // oxlint-disable-next-line typescript/no-extraneous-class
  const module = { module: class ApiModule {}, controllers, providers };
  const options = { preview: true, logger: false, abortOnError: false } as const;
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), options);
  declareParameterTypes(app);
  return describeApi(app, {
    title: TITLES[name],
    description: '',
    issuer: 'https://issuer.example',
    development: false,
  });
}

/** What a controller is given; Nest wants a provider for each also where nothing is built. */
function injectedInto(controller: object): symbol[] {
  const declared = (Reflect.getMetadata(PROPERTY_DEPS_METADATA, controller) ?? []) as { type: symbol }[];
  return declared.map(({ type }) => type);
}
