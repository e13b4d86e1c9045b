import { code } from './code.ts';

export const propertyErrors = {
  LETTER_NOT_FOUND: code(
    'missing',
    'No such letter',
    'There is no letter of this kind, or not in this language.',
    'List the letters of the property.',
  ),
  PROPERTY_NOT_FOUND: code(
    'missing',
    'No such property',
    'The tenant has no property with this id.',
    'List the properties of the tenant.',
  ),
  ROOM_TYPE_NOT_FOUND: code(
    'missing',
    'No such room type',
    'The property has no room type with this code.',
    'List the room types of the property.',
  ),
  PHOTO_NOT_FOUND: code(
    'missing',
    'No such photo',
    'The property has no photo with this id.',
    'List the photos of the property.',
  ),
  SERVICE_NOT_FOUND: code(
    'missing',
    'No such service',
    'The property has no extra with this code.',
    'List the services of the property.',
  ),
  REPORT_NOT_FOUND: code(
    'missing',
    'No such report',
    'The tenant has no report with this id.',
    'List the reports of the property.',
  ),
  CHANNEL_MAPPING_NOT_FOUND: code(
    'missing',
    'No such channel mapping',
    'The property has no channel mapping with this id.',
    'List the channel mappings of the property.',
  ),
  PROPERTY_IN_USE: code(
    'conflict',
    'The property is in use',
    'It has reservations that are not finished.',
    'Finish or cancel them first.',
  ),
  UNKNOWN_ROOM_TYPE: code(
    'rule',
    'The property has no such room type',
    'The room type is not known at this property.',
    'List the room types of the property.',
  ),
};
