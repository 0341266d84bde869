"""Where commands run: this machine, SSH, recordings. Nothing here knows which storage they are about."""
