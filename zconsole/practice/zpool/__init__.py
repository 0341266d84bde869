"""The `zpool` commands that change pools: one module a family, each answering as OpenZFS 2.4 does."""
