"""Plays two-handed Put as `train_put.py` learned it, from `trained_put.npz` beside this file or in this folder."""

from put_env.network_bot import NetworkBot


class Trained(NetworkBot):
    file = "trained_put.npz"
