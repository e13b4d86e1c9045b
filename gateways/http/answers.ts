import { ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';

/** Says in the API description what a handler answers: the schema of contracts, the status of its `@HttpCode`. */
export const Answers = (schema: z.ZodType, status = 200, description = 'Done'): MethodDecorator & ClassDecorator =>
  ApiResponse({ status, description, standardSchema: schema });
