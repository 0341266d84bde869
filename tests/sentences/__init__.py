"""The sentences that the program can say of a pool: collected where they are made, each seen to be said."""
