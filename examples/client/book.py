"""Asks for a price and books it, with types made from the OpenAPI documents."""

from __future__ import annotations

import datetime
import json
import os
import urllib.request
import uuid
from typing import Any, cast

from rate import ApiV1RatesCurrentGetResponse
from reservation import (
    ApiV1ReservationsPostRequest,
    ApiV1ReservationsPostResponse,
)

RATE_URL = os.environ.get("RATE_URL", "http://127.0.0.1:8083")
RESERVATION_URL = os.environ.get("RESERVATION_URL", "http://127.0.0.1:8084")
PROPERTY = os.environ.get("PROPERTY", "harbor-hotel")


def call(url: str, body: object = None) -> Any:
    headers = {
        "authorization": f"Bearer {os.environ['TOKEN']}",
        "x-tenant-id": os.environ.get("TENANT", "demo"),
        "content-type": "application/json",
        # A repeat of the same request has one effect.
        "idempotency-key": str(uuid.uuid4()),
    }
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        return json.load(answer)


arrival = datetime.date.today() + datetime.timedelta(days=30)
check_in, check_out = arrival.isoformat(), (arrival + datetime.timedelta(days=2)).isoformat()
query = f"propertyId={PROPERTY}&checkIn={check_in}&checkOut={check_out}&adults=2"
quote = cast(ApiV1RatesCurrentGetResponse, call(f"{RATE_URL}/api/v1/rates/current?{query}"))
offer = next(one for one in quote["rates"] if one["bookable"])
print(f"{offer['roomType']} {offer['rateCode']}: {offer['totalRate']} {offer['currency']}")

wish: ApiV1ReservationsPostRequest = {
    "propertyId": PROPERTY,
    "guestInfo": {"firstName": "Ada", "lastName": "Byron", "email": "ada@example.com"},
    "stayDetails": {
        "checkIn": check_in,
        "checkOut": check_out,
        "adults": 2,
        "roomType": offer["roomType"],
        "quoteToken": offer["quoteToken"],
    },
    "paymentDetails": {"method": "CREDIT_CARD", "cardToken": "tok_visa"},
}
booked = cast(ApiV1ReservationsPostResponse, call(f"{RESERVATION_URL}/api/v1/reservations", wish))
print(f"booked for {booked['financial']['totalAmount']}")
