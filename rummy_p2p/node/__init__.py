"""The network and the clock: sockets, TLS, multicast. Everything that is decided is decided below, in `protocol`.

Laws of this layer
* It moves bytes and time. What a message means, and whether it may come now, is the business of the machine it is
  fed to.
* It opens only the addresses it was given, and closes only what it opened.
* Every task has a name and an owner that ends it; after `stop()` no task, thread or socket is left.
* Nothing blocks the loop. No peer can make it hold more than its limits: what is too much is dropped, with a code.
* One bad peer ends its own connection and nothing else.
"""
