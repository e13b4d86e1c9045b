import { code } from './code.ts';

export const roomErrors = {
  ROOM_NOT_FOUND: code(
    'missing',
    'No such room',
    'The property has no room with this number.',
    'List the rooms of the property.',
  ),
  NO_ROOM_READY: code(
    'conflict',
    'No room is ready',
    'No clean room of the type or a better one is free; with the policy `roomReadyWhen` INSPECTED, no inspected one.',
    'Wait for housekeeping, or assign a room.',
  ),
  ROOM_TAKEN: code(
    'conflict',
    'The room is taken',
    'Another reservation has the room on one of the nights.',
    'Choose another room.',
  ),
  ROOM_OUT_OF_ORDER: code('conflict', 'The room is out of order', 'The room cannot be used.', 'Choose another room.'),
  ROOM_OCCUPIED: code(
    'conflict',
    'A guest is in the room',
    'The room has a guest in house on one of the nights.',
    'Move the guest to another room first, or begin after the departure.',
  ),
  HOUSEKEEPING_TASK_NOT_FOUND: code(
    'missing',
    'No such housekeeping task',
    'The property has no housekeeping task with this id.',
    'List the housekeeping tasks of the property.',
  ),
  MAINTENANCE_NOT_FOUND: code(
    'missing',
    'No such maintenance',
    'The property has no maintenance with this id, or it is over.',
    'List the maintenances of the property.',
  ),
  MAINTENANCE_OVERLAPS: code(
    'conflict',
    'The room has another maintenance',
    'Another maintenance of the room has one of the nights.',
    'Change the other one, or choose other nights.',
  ),
  ROOM_UNSUITABLE: code(
    'rule',
    'The room does not have what the stay requires',
    'The room does not meet a required wish of the stay.',
    'Choose a room that meets it, or change the wishes of the reservation.',
  ),
  WRONG_ROOM_TYPE: code(
    'rule',
    'The room is of another type',
    'The room is not of the booked type.',
    'Choose a room of the type, or move the reservation.',
  ),
};
