"""Uses a coordinator through what it says of itself by reflection, and nothing else.

    foreign.py HOST:PORT
"""

import secrets
import sys

import grpc
from google.protobuf import descriptor_pool, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

PATIENCE = 120  # seconds

RUNS = "vezir.runs.v1.Runs"
HEALTH = "grpc.health.v1.Health"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Foreign:
    """A coordinator, as far as it describes itself."""

    def __init__(self, channel):
        self.channel = channel
        self.database = ProtoReflectionDescriptorDatabase(channel)
        self.pool = descriptor_pool.DescriptorPool(self.database)

    def services(self):
        return set(self.database.get_services())

    def message(self, name, /, **fields):
        return message_factory.GetMessageClass(self.pool.FindMessageTypeByName(name))(**fields)

    def call(self, service, name, /, **fields):
        method = self.pool.FindServiceByName(service).FindMethodByName(name)
        request = message_factory.GetMessageClass(method.input_type)
        answer = message_factory.GetMessageClass(method.output_type)
        kind = self.channel.unary_stream if method.server_streaming else self.channel.unary_unary
        made = kind(
            f"/{service}/{name}",
            request_serializer=request.SerializeToString,
            response_deserializer=answer.FromString,
        )
        return made(request(**fields), timeout=PATIENCE)

    def identity(self):
        return self.message("vezir.types.v1.CallId", hi=secrets.randbits(64), lo=secrets.randbits(64))

    def submit(self, depth):
        perft = self.message("vezir.types.v1.Perft", fen=START, depth=depth)
        return self.call(RUNS, "Submit", perft=perft, call=self.identity()).run

    def watch(self, run):
        for told in self.call(RUNS, "Watch", run=run):
            yield told.progress


def whole(number):
    return number.hi << 64 | number.lo


def main(address):
    with grpc.insecure_channel(address) as channel:
        foreign = Foreign(channel)
        services = foreign.services()
        wanted = {RUNS, "vezir.workers.v1.Workers", "vezir.workers.v1.Fleet", HEALTH}
        assert wanted <= services, services
        assert foreign.call(HEALTH, "Check", service=RUNS).status == 1, "it does not serve"

        run = foreign.submit(5)
        told = list(foreign.watch(run))
        last = told[-1]
        assert [it.WhichOneof("outcome") for it in told[:-1]] == [None] * (len(told) - 1), told
        assert last.WhichOneof("outcome") == "answer" and last.done == last.units > 0, last
        parts = [whole(part.nodes) for part in last.answer.divide]
        assert sum(parts) == whole(last.answer.nodes) == whole(last.nodes), last

        other = foreign.submit(13)
        watched = foreign.watch(other)
        next(watched)
        listed = {it.id: it for it in foreign.call(RUNS, "List", most=10).runs}
        assert {run, other} <= set(listed), listed
        assert whole(listed[run].progress.answer.nodes) == 4865609, listed[run]
        foreign.call(RUNS, "Cancel", run=other, call=foreign.identity())
        ends = [it.WhichOneof("outcome") for it in watched]
        assert ends[-1] == "cancelled", ends

        try:
            foreign.call(RUNS, "Show", run=999)
            raise AssertionError("a run that is not there was shown")
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND, error
            assert "would be right" in error.details(), error
        print(f"{whole(last.answer.nodes)} leaves, {len(parts)} moves, {ends.count('cancelled')} cancelled")


if __name__ == "__main__":
    main(sys.argv[1])
