"""One list of neighbours: renamed, copied, moved, and more of them than there can be."""

from dataclasses import replace

from rummy_p2p.node.announcement import SERVICE_TYPE, Announcement, Sighting, is_of_another
from rummy_p2p.node.neighbours import MAX_SIGHTINGS, Neighbours

ADA = Sighting(f"Ada 1a1a1a.{SERVICE_TYPE}", "Ada", "1a" * 32, "2b" * 32, ("10.0.0.7",), 28660, 1)
RENAMED = replace(ADA, instance=f"Ada the Great 1a1a1a.{SERVICE_TYPE}", nick="Ada the Great")


def noted(*announced: Sighting) -> Neighbours:
    neighbours = Neighbours()
    for sighting in announced:
        neighbours.note(sighting, 0)
    return neighbours


def answers(neighbours: Neighbours, sighting: Sighting, *, there: bool = True) -> None:
    neighbours.doors.answer(sighting.instance, 0, there=there)


def names(neighbours: Neighbours) -> list[tuple[str, bool]]:
    return [(each.nick, each.live) for each in neighbours.shown("")]


def test_who_takes_another_name_is_one_neighbour() -> None:
    neighbours = noted(ADA)
    answers(neighbours, ADA)
    assert neighbours.note(RENAMED, 1)
    answers(neighbours, RENAMED)
    assert names(neighbours) == [("Ada the Great", True)]
    assert not neighbours.forget(ADA.instance)  # the goodbye of the old name changes nothing


def test_a_copy_at_another_door_takes_nobodys_place() -> None:
    copy = replace(RENAMED, addresses=("10.0.0.66",))
    neighbours = noted(ADA, copy)
    answers(neighbours, copy)
    assert names(neighbours) == [("Ada the Great", True)]  # the one that answers, as long as no other does
    answers(neighbours, ADA)
    assert [each.addresses for each in neighbours.shown("")] == [("10.0.0.7",)]
    for _ in range(2):
        answers(neighbours, ADA, there=False)
    assert [each.addresses for each in neighbours.shown("")] == [("10.0.0.66",)]


def test_one_can_be_asked_for_alone() -> None:
    bea = replace(ADA, instance=f"Bea 3c3c3c.{SERVICE_TYPE}", nick="Bea", id="3c" * 32)
    assert [each.nick for each in noted(ADA, bea).shown("", {bea.id})] == ["Bea"]
    assert noted(ADA, bea).shown(bea.id, {bea.id}) == noted(ADA).shown("", set()) == []


def test_another_certificate_is_another_row() -> None:
    assert len(noted(ADA, replace(RENAMED, pin="3c" * 32)).shown("")) == 2


def test_who_moves_is_knocked_at_there_and_stays_in_the_list() -> None:
    neighbours = noted(ADA)
    assert neighbours.doors.due(0) == ADA.instance
    answers(neighbours, ADA)
    assert neighbours.note(replace(ADA, addresses=("10.0.0.9",)), 1)
    assert names(neighbours) == [("Ada", True)]
    assert neighbours.doors.due(1) == ADA.instance


def test_the_same_again_is_no_news_and_ourselves_are_not_shown() -> None:
    neighbours = noted(ADA)
    assert not neighbours.note(ADA, 1)
    assert neighbours.shown(ADA.id) == []
    assert neighbours.get(ADA.instance) == ADA
    assert neighbours.forget(ADA.instance)
    assert len(neighbours) == 0


def test_a_flood_of_inventions_drives_nobody_out() -> None:
    neighbours = noted(ADA)
    answers(neighbours, ADA)
    for number in range(2 * MAX_SIGHTINGS):
        invented = replace(ADA, instance=str(number), nick=str(number), id=f"{number:064x}", port=1 + number)
        neighbours.note(invented, 1)
    assert len(neighbours) == MAX_SIGHTINGS
    assert names(neighbours)[0] == ("Ada", True)


def test_a_longer_name_has_more_of_the_id_and_still_fits() -> None:
    said = Announcement("ø" * 24, "1a" * 32, "2b" * 32, 1, 1)
    assert said.named(6) == said.instance
    for digits in (6, 12, 24, 48):
        label = said.named(digits).removesuffix(f".{SERVICE_TYPE}")
        assert label.endswith(" " + said.id[:digits])
        assert len(label.encode()) <= 63


def test_records_of_two_programs_under_one_name_are_told_from_those_of_one() -> None:
    assert not is_of_another(f"rummy-{'1a' * 8}.local.", "1a" * 32)
    assert is_of_another(f"rummy-{'2b' * 8}.local.", "1a" * 32)
    assert not is_of_another("another-program.local.", "1a" * 32)
    assert not is_of_another(None, "1a" * 32)
