"""Takes webhooks of Innkeeper: checks the signature, drops repeats, prints a line for each event."""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Bodies of Innkeeper are smaller.
MAX_BYTES = 1024 * 1024
# A message that is older may be a copy that somebody else sends again.
TOLERANCE_SECONDS = 300
# Ids that are remembered, to drop repeats. A database would remember all of them.
MAX_SEEN = 10_000

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
seen: "OrderedDict[str, None]" = OrderedDict()


def is_signed(headers, body: bytes) -> bool:
    """Whether a signature of the message is right, and its time is now (Standard Webhooks 1.0)."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # While a secret is replaced there are two.
    signatures = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one, f"v1,{expected}") for one in signatures)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BYTES:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_signed(self.headers, body):
            return self.answer(400)
        message_id = self.headers["webhook-id"]
        if message_id not in seen:
            seen[message_id] = None
            if len(seen) > MAX_SEEN:
                seen.popitem(last=False)
            message = json.loads(body)
            line = {name: message.get(name) for name in ("type", "propertyId", "generation", "seq")}
            print(json.dumps(line), flush=True)
        return self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        """Only events are printed."""


port = int(os.environ.get("PORT", "3000"))
server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
print(f"listening on port {port}", file=sys.stderr, flush=True)
server.serve_forever()
