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
    'No clean room of the type or a better one is free.',
    'Wait for housekeeping, or assign a room.',
  ),
  ROOM_TAKEN: code(
    'conflict',
    'The room is taken',
    'Another reservation has the room on one of the nights.',
    'Choose another room.',
  ),
  ROOM_OUT_OF_ORDER: code('conflict', 'The room is out of order', 'The room cannot be used.', 'Choose another room.'),
  WRONG_ROOM_TYPE: code(
    'rule',
    'The room is of another type',
    'The room is not of the booked type.',
    'Choose a room of the type, or move the reservation.',
  ),
};
