"""Reads topics as somebody else would: librdkafka, and each value twice, by Confluent's deserializer and by fastavro with
the registry over plain REST; both must read the same, to the last byte.

Prints one line of JSON a record, up to where each partition ended when it began.
Usage: read-topic.py <brokers> <registry> <topic>...
"""

import datetime
import io
import json
import struct
import sys
import time
import urllib.request

import fastavro
from confluent_kafka import Consumer, TopicPartition
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer
from confluent_kafka.serialization import MessageField, SerializationContext

BATCH = 1000
GATHER_SECONDS = 0.2
WAIT_SECONDS = 30.0
EPOCH = datetime.datetime.fromtimestamp(0, datetime.timezone.utc)

brokers, registry, *topics = sys.argv[1:]
schemas = {}
deserialize = AvroDeserializer(SchemaRegistryClient({"url": registry}))


def plain(value):
    """A timestamp as it went over the wire, in milliseconds."""
    if isinstance(value, datetime.datetime):
        return (value - EPOCH) // datetime.timedelta(milliseconds=1)
    return str(value)


def schema_of(schema_id):
    if schema_id not in schemas:
        with urllib.request.urlopen(f"{registry}/schemas/ids/{schema_id}", timeout=WAIT_SECONDS) as answer:
            schemas[schema_id] = fastavro.parse_schema(json.loads(json.load(answer)["schema"]))
    return schemas[schema_id]


def opened(value):
    """Confluent's wire format: a zero, the schema's id, and the record to the last byte."""
    magic, schema_id = struct.unpack(">bI", value[:5])
    if magic != 0:
        raise ValueError(f"begins with {magic}")
    body = io.BytesIO(value[5:])
    record = fastavro.schemaless_reader(body, schema_of(schema_id))
    if body.read():
        raise ValueError("bytes after the record")
    return {"schemaId": schema_id, "value": record}


def shown(message):
    line = {
        "topic": message.topic(),
        "partition": message.partition(),
        "offset": message.offset(),
        "key": message.key().decode() if message.key() is not None else None,
        "headers": {name: value.decode() if value is not None else None for name, value in message.headers() or []},
        "timestamp": message.timestamp()[1],
    }
    if message.value() is None:
        line["tombstone"] = True
        return json.dumps(line)
    try:
        line.update(opened(message.value()))
        theirs = deserialize(message.value(), SerializationContext(message.topic(), MessageField.VALUE))
        if theirs != line["value"]:
            raise ValueError("Confluent's deserializer reads something else")
    except Exception as error:
        line["error"] = str(error)
    return json.dumps(line, default=plain)


consumer = Consumer(
    {"bootstrap.servers": brokers, "group.id": "reader", "enable.auto.commit": False, "auto.offset.reset": "error"}
)
left = {}
for topic in topics:
    for partition in consumer.list_topics(topic, timeout=WAIT_SECONDS).topics[topic].partitions:
        low, high = consumer.get_watermark_offsets(TopicPartition(topic, partition), timeout=WAIT_SECONDS)
        if high > low:
            left[topic, partition] = (low, high)

consumer.assign([TopicPartition(topic, partition, low) for (topic, partition), (low, _) in left.items()])
heard = time.monotonic()
while left:
    messages = consumer.consume(BATCH, timeout=GATHER_SECONDS)
    if messages:
        heard = time.monotonic()
    elif time.monotonic() - heard > WAIT_SECONDS:
        sys.exit(f"nothing came for {WAIT_SECONDS} s")
    for message in messages:
        if message.error():
            sys.exit(str(message.error()))
        place = message.topic(), message.partition()
        if place not in left or message.offset() >= left[place][1]:
            continue
        print(shown(message))
        if message.offset() + 1 == left[place][1]:
            del left[place]
