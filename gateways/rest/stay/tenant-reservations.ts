import { Controller } from '@nestjs/common';

import { Reservations } from './reservations.ts';

/**
 * The same reservations below the path of their tenant (docs/reference/reservations.md#reservations); the tenant of the
 * path is checked before.
 */
@Controller('api/v1/tenants/:tenantId/reservations')
export class TenantReservations extends Reservations {}
