"""Two messages by which a program learns whether others can reach it: "call me back at this port", and what came of it.

Whoever is asked calls the address that the question came from, never another one, and only a few times for each link:
nobody is made to knock at a stranger's door.
"""

from typing import Annotated, Final, TypeAlias

import msgspec

from rummy_p2p.protocol.codec import Message
from rummy_p2p.protocol.invitation import Invitation, InvitationDeclined
from rummy_p2p.protocol.messages import Signed
from rummy_p2p.protocol.password import Knock, KnockAnswer, KnockProof, NotWelcome, Welcome

MAX_CALLS: Final = 3


class CallBack(Message, frozen=True):
    """Connect to this port of mine, and tell me."""

    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]


class CalledBack(Message, frozen=True):
    """Whether the port that was asked for took a connection."""

    port: Annotated[int, msgspec.Meta(ge=1, le=65535)]
    reached: bool


# All that goes over a link of this game.
Wire: TypeAlias = (
    Signed
    | CallBack
    | CalledBack
    | Invitation
    | InvitationDeclined
    | Knock
    | KnockAnswer
    | KnockProof
    | Welcome
    | NotWelcome
)
