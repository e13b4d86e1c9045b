import { Controller, Delete, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';

import * as contract from '../../../src/channels/contracts/channels.ts';
import {
  changeChannel,
  createChannel,
  getChannel,
  listChannels,
  removeChannel,
  sendAllToChannel,
} from '../../../src/channels/operations/connect-channels.ts';
import { takeChannelBooking, type TakenBooking } from '../../../src/channels/operations/take-channel-booking.ts';
import type { Channel } from '../../../src/channels/rules/channel.ts';
import { removed } from '../../../src/kernel/contracts/answers.ts';
import type { Services } from '../../../src/kernel/operations/services.ts';
import { folioTotals } from '../../../src/money/rules/folio.ts';
import { type AnswerOf, Answers, OrWithStatus } from '../../http/answers.ts';
import { Body, Param, Query } from '../../http/parameters.ts';
import { Needs } from '../../http/route.ts';
import { type Read, SERVICES, TheRead, TheWrite, type Write } from '../answer.ts';

/** Other sellers of the rooms of a property (docs/reference/channels.md#channels). */
@Controller('api/v1/channels')
export class SalesChannels {
  @Inject(SERVICES) protected readonly services!: Services;

  /** Makes the channel mappings of the property, one a room, and sends the channel everything. */
  @Post()
  @Answers(contract.channelAnswer, 201)
  @Needs('property.set-up', 'Connect a channel')
  async create(
    @TheWrite() { caller, key, response }: Write,
    @Body({ schema: contract.createChannelBody }) body: contract.CreateChannelBody,
  ) {
    const { result } = response.stamp(await createChannel(this.services, caller, body, key));
    response.header('location', `/api/v1/channels/${result.channelId}`);
    return wireChannel(result);
  }

  /** Oldest first; a property has at most 20. */
  @Get()
  @Answers(contract.channelListAnswer)
  @Needs('admin.read', 'List channels')
  async list(
    @TheRead() { caller, response }: Read,
    @Query({ schema: contract.channelsQuery }) query: contract.ChannelsQuery,
  ) {
    return response.list((await response.db(listChannels(this.services, caller, query))).map(wireChannel), undefined);
  }

  @Get(':channelId')
  @Answers(contract.channelAnswer)
  @Needs('channel.read', 'Read a channel')
  async get(@TheRead() { caller, response }: Read, @Param('channelId') id: string) {
    return wireChannel(await response.db(getChannel(this.services, caller, id)));
  }

  /** What waits, what failed, and what the channel has that it should not have. */
  @Get(':channelId/status')
  @Answers(contract.channelStatusAnswer)
  @Needs('channel.read', 'Read how sending to a channel stands')
  async status(@TheRead() { caller, response }: Read, @Param('channelId') id: string) {
    const channel = await response.db(getChannel(this.services, caller, id));
    return wireStatus(channel, this.services.clock.now());
  }

  /** Replaces the settings and the mappings; `status` pauses the channel, or resumes it. */
  @Put(':channelId')
  @Answers(contract.channelAnswer)
  @Needs('property.set-up', 'Change, pause or resume a channel')
  async change(
    @TheWrite() { caller, key, response }: Write,
    @Param('channelId') id: string,
    @Body({ schema: contract.changeChannelBody }) body: contract.ChangeChannelBody,
  ) {
    return wireChannel(response.stamp(await changeChannel(this.services, caller, id, body, key)).result);
  }

  /** The channel is sent nothing more: what it has stays there until somebody closes it there. */
  @Delete(':channelId')
  @Answers(removed)
  @Needs('admin.run', 'Disconnect a channel')
  async remove(@TheWrite() { caller, key, response }: Write, @Param('channelId') id: string) {
    response.stamp(await removeChannel(this.services, caller, id, key));
    return { id, status: 'REMOVED' as const };
  }

  /** For a channel that has lost what it was sent. */
  @Post(':channelId/sync')
  @HttpCode(200)
  @Answers(contract.channelAnswer)
  @Needs('admin.run', 'Send a channel everything again')
  async sync(@TheWrite() { caller, key, response }: Write, @Param('channelId') id: string) {
    return wireChannel(response.stamp(await sendAllToChannel(this.services, caller, id, key)).result);
  }

  /** 201 for a new booking, 200 for one that is known: the same again changes nothing. */
  @Put(':channelId/bookings/:externalId')
  @Answers(contract.channelBookingAnswer, 201)
  @OrWithStatus(contract.channelBookingAnswer, 200, 'Known before, and changed where it differs')
  @Needs('channel.book', 'Take a booking, a change or a cancellation of a channel')
  async take(
    @TheWrite() { caller, response }: Write,
    @Param('channelId') id: string,
    @Param('externalId') externalId: string,
    @Body({ schema: contract.channelBookingBody }) body: contract.ChannelBookingBody,
  ) {
    const taken = await response.db(takeChannelBooking(this.services, caller, id, externalId, body));
    if (!taken.isNew) response.status(200);
    return wireBooking(taken, externalId);
  }
}

function wireChannel({ progress: _progress, ...channel }: Channel): AnswerOf<typeof contract.channelAnswer> {
  const { minRate = null, maxRate = null, commission = null, pausedBecause = null, pausedAt = null } = channel;
  const { mappings } = channel;
  return { ...channel, mappings: [...mappings], minRate, maxRate, commission, pausedBecause, pausedAt };
}

function wireStatus({ channelId, status, progress }: Channel, now: number) {
  const { behind, waitingSince, rejected, atRisk, drift = null, auditedAt = null, lastTakenAt = null } = progress;
  const { lastError = null, lastErrorAt = null, failingSince = null, nextAttemptAt = null } = progress;
  const lag = waitingSince === undefined ? 0 : Math.max(0, (now - waitingSince) / 1_000);
  return {
    channelId,
    status,
    lag,
    queued: behind,
    rejected,
    atRisk,
    drift,
    auditedAt,
    lastTakenAt,
    lastError,
    lastErrorAt,
    failingSince,
    nextAttemptAt,
  };
}

/** A booking that was cancelled before it came. */
const CANCELLED_FIRST = {
  reservationId: null,
  confirmationNumber: null,
  status: 'CANCELLED' as const,
  checkIn: null,
  checkOut: null,
  roomType: null,
  ratePlan: null,
  total: null,
  currency: null,
  overbooked: [],
};

function wireBooking({ channel, reservation, isChanged }: TakenBooking, externalId: string) {
  if (!reservation) return { channelId: channel.channelId, externalId, ...CANCELLED_FIRST, changed: isChanged };
  const { id, confirmationNumber, status, stay, currency, source } = reservation;
  return {
    channelId: channel.channelId,
    externalId,
    reservationId: id,
    confirmationNumber,
    status,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    roomType: stay.roomType,
    ratePlan: stay.rateCode,
    total: folioTotals(reservation).total,
    currency,
    overbooked: source.overbooked ?? [],
    changed: isChanged,
  };
}
