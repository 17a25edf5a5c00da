"""What peers say to each other, as pure state machines: bytes, `now` and random bytes go in, events and bytes come out.

Laws of this layer
* Sans-IO. No socket, no file, no clock, no dice. Whoever drives a machine hands it the bytes it read, the monotonic
  time in seconds and the random bytes it needs, and sends on what the machine wants sent.
* Any bytes are a message or a `RemoteProtocolError`: nothing a stranger sends raises anything else, and nothing makes a
  machine hold more memory than its limits say.
* Two faces of an error with one border. `RemoteProtocolError`: the other side broke the protocol. `LocalProtocolError`:
  our own caller asked for what the state does not allow. Each has a code for the program and a sentence for the player.
* What is signed and hashed is the bytes as received, never a re-encoding. Every signature names its purpose.
* Text from the network is clean from the moment it is decoded. No remote string is ever part of a path.
* States are an Enum, transitions a table. What the table does not name is a breach.

From the ground up: errors, text (with words), identity, codec, link; the ledger and the table session stand on those.
"""
