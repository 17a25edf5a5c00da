"""256 plain English words, easy to say and hard to mistake for one another. Their order is part of the protocol."""

from typing import Final

WORDS: Final = tuple(
    """
    acorn actor alarm album amber anchor angel ankle apple april apron arch arrow atlas attic autumn bacon badge
    bagel baker bamboo banjo barn basil basket beach beard beaver bell berry bicycle biscuit blanket boat bottle
    bread brick bridge broom bucket butter button cabin cactus camel candle canoe carpet carrot castle cedar cellar
    chalk cheese cherry chess circus clay clock cloud clover cobra coffee comet copper coral cotton cradle crane
    crayon cricket crown cuckoo curtain daisy dancer deer desert diamond dinner dolphin donkey dragon drum duck
    eagle easel echo elbow engine envelope fabric falcon feather fence fiddle finger flame flute forest fossil fox
    garden garlic ginger giraffe glove goat goose granite grape guitar hammer harbor harp hazel hedge helmet honey
    hotel island ivory jacket jaguar jelly jewel jungle kayak kettle kitten ladder lagoon lamp lantern lemon letter
    lily lizard lobster magnet maple marble market meadow melon mirror mitten monkey moss motor muffin museum
    mustard napkin needle nickel north nutmeg oasis ocean olive onion opera orange orbit orchid otter owl oyster
    paddle palace panda paper parrot peach pebble pencil pepper piano pickle pigeon pillow pilot pirate planet plum
    pocket polar pond poppy potato prairie puzzle quartz quilt rabbit radio raisin ribbon river robin rocket rose
    saddle salad salmon sandal saturn scarf school seagull shadow sheep shovel silver skate sleigh spider spoon
    squid stable statue summer sunset swan table teapot temple thistle ticket tiger timber tomato torch tower
    tractor trumpet tulip tunnel turtle uncle valley vanilla velvet violin volcano waffle walnut walrus whale willow
    window winter wizard zebra zipper
    """.split()  # noqa: SIM905 - 256 words in quotes would be a page of commas
)
