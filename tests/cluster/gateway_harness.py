"""The harness of the dispatcher's tests with a gateway and a shard in the place of the dispatcher."""

from tests.cluster.in_one_process import DispatcherAtGateway
from tests.transport.dispatcher_harness import DispatcherHarness


class GatewayHarness(DispatcherHarness):
    """One shard, one gateway, and peers that are connected there."""

    make = DispatcherAtGateway  # type: ignore[assignment]  # all that the tests need of a dispatcher
    dispatcher: DispatcherAtGateway  # type: ignore[assignment]  # the same

    def settle(self) -> None:
        self.dispatcher.settle()
