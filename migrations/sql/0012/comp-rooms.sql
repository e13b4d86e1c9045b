-- Complimentary rooms of a business day are a figure of it (night audit, `compRooms`).
alter type metric_type add value if not exists 'COMP_ROOMS';
