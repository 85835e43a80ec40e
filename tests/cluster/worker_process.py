"""A worker in a process of its own, to be killed and paused. It runs until its input ends.

python -m tests.cluster.worker_process URL CLUSTER SHARDS
"""

import asyncio
import logging
import sys

import nats

from put_server.cluster import cluster_config
from put_server.cluster.shard_worker import ShardWorker
from put_server.settings import Settings


async def main(url: str, cluster: str, shards: str) -> None:
    settings = Settings(cluster=cluster, shards=int(shards), replicas=1)
    client = await nats.connect(url, max_reconnect_attempts=-1, reconnect_time_wait=0.05)
    worker = ShardWorker(settings, client, await cluster_config.settled(client, settings), thinks=False)
    loop = asyncio.get_running_loop()
    ended = loop.create_task(asyncio.to_thread(sys.stdin.read))
    ended.add_done_callback(lambda _: worker.drain())
    await worker.run()
    await client.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(main(*sys.argv[1:]))
