-- Reservations that agents make over MCP come by a channel of their own.
alter type reservation_source add value if not exists 'AGENT';
