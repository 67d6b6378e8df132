"""The rebuilt map keeps every fact that the texts tell of the printed one."""

import pytest

SETUPS = ("campaign", "two_years_of_war", "republican_collapse")


def test_the_spaces_and_connections_are_as_many_as_the_map_file_says(board):
    assert len(board.spaces) == 197  # the three sleeping Beach Heads are among them
    assert len(board.where(balearic=True)) == 3
    assert len(board.links) == 381
    assert sum(link["type"] == "river" for link in board.links) == 55
    assert sum("border" in space for space in board.spaces.values()) == 15
    assert [x["type"] for x in board.links if x["type"] not in ("road", "river")] == [
        "grado",
        "beach_head",
    ]


def test_the_mainland_hangs_together(board):
    found, todo = {"madrid"}, ["madrid"]
    while todo:
        near = board.neighbours(todo.pop()) - found
        found |= near
        todo += near
    assert found == set(board.spaces) - board.where(balearic=True) - board.where(dormant=True)
    degrees = [len(board.neighbours(space)) for space in found]
    assert len(found) == 192 and min(degrees) >= 2 and max(degrees) <= 6


def test_no_two_connections_cross(board):
    lines = [
        (link["a"], link["b"], board.spaces[link["a"]]["at"], board.spaces[link["b"]]["at"])
        for link in board.links
    ]
    crossing = [
        (one[:2], two[:2])
        for i, one in enumerate(lines)
        for two in lines[:i]
        if not set(one[:2]) & set(two[:2]) and _cross(*one[2:], *two[2:])
    ]
    assert crossing == []


def _side(p, q, r):
    area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
    return (area > 0) - (area < 0)


def _cross(a, b, c, d):
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


# --------------------------------------------------------------- links told


@pytest.mark.rule("2.1.2")
@pytest.mark.parametrize(
    "a, b, kind",
    [
        ("hellin", "murcia", "river"),
        ("oviedo", "pto_de_leitariegos", "grado"),
        ("mallorca", "beach_head_mallorca", "beach_head"),
    ],
)
def test_connections_that_the_map_rule_names(board, a, b, kind):
    assert board.link(a, b) == kind


@pytest.mark.rule("2.1.2")
def test_madrid_is_connected_with_barcelona_but_not_adjacent(board):
    assert "barcelona" in board.zone("madrid")
    assert board.link("madrid", "barcelona") is None


@pytest.mark.rule("2.2.2.11")
@pytest.mark.rule("8.5.6.1")
def test_the_beach_heads_are_open_spaces_with_a_port_that_sleep(board):
    heads = board.where(dormant=True)
    assert heads == {"beach_head_mallorca", "beach_head_plan_p", "beach_head_nationalist"}
    for beach in (board.spaces[head] for head in heads):
        assert (beach["terrain"], beach["port"], beach["coast"]) == ("open", True, "mediterranean")
    assert board.neighbours("beach_head_mallorca", ("road", "river", "beach_head")) == {"mallorca"}
    assert board.neighbours("beach_head_plan_p", ("road", "river", "beach_head")) == set()


@pytest.mark.rule("11.2.6")
def test_the_sierra_of_madrid(board, plain):
    assert plain["map"]["named_sets"]["sierra_of_madrid"]["spaces"] == ["guadarrama", "somosierra"]
    assert board.link("segovia", "somosierra") == "road"
    assert board.spaces["somosierra"]["terrain"] == "mountain"
    assert board.link("somosierra", "aranda_de_duero") == "river"
    assert board.spaces["aranda_de_duero"]["terrain"] == "open"


@pytest.mark.rule("17.3.2")
def test_of_the_neighbours_of_madrid_only_guadarrama_stands_at_the_front(board):
    around = board.neighbours("madrid")
    assert around == {
        "guadalajara",
        "guadarrama",
        "illescas",
        "san_martin_de_la_vega",
        "tarancon",
    }
    assert around & board.front("campaign") == {"guadarrama"}


@pytest.mark.rule("11.1.7")
def test_illescas_is_next_to_madrid(board):
    assert board.link("illescas", "madrid")


@pytest.mark.rule("11.4.5")
def test_the_retreats_of_the_examples_can_be_made(board):
    assert board.link("belchite", "carinena")
    assert board.link("carinena", "zaragoza") and board.link("belchite", "zaragoza")
    assert board.link("montblanch", "gandesa")
    assert board.link("montblanch", "villafranca_del_panades")
    assert board.link("villafranca_del_panades", "barcelona")
    assert board.spaces["montblanch"]["terrain"] == "mountain"


@pytest.mark.rule("10.1.12")
def test_the_moves_of_the_example_can_be_made(board):
    assert board.link("huesca", "barbastro")
    assert board.link("barbastro", "tremp") and board.link("barbastro", "balaguer")


@pytest.mark.rule("8.5.6.2")
@pytest.mark.parametrize(
    "start, target, spaces",
    [
        ("cartagena", "aguilas", 1),
        ("cartagena", "garrucha", 2),
        ("cartagena", "almeria", 3),
        ("cartagena", "adra", 4),
        ("baza", "motril", 3),
        ("baza", "velez_malaga", 3),
        ("baza", "malaga", 4),
    ],
)
def test_the_ranges_of_plan_p(board, start, target, spaces):
    assert board.distance(start, target) == spaces


@pytest.mark.rule("17.4.2")
def test_teruel_can_be_attacked_from_three_spaces(board):
    assert {"ademuz", "rubielos_de_mora", "barracas"} <= board.neighbours("teruel")


@pytest.mark.rule("16.4.2.1")
def test_asturians_can_leave_their_region(board):
    assert board.link("lugo", "castropol")
    assert board.link("ponferrada", "pto_de_leitariegos")
    assert board.link("leon", "pto_de_pajares")


@pytest.mark.rule("15.2.1.2")
def test_a_space_may_touch_two_northern_regions(board):
    regions = {board.spaces[near].get("region") for near in board.neighbours("dobro")}
    assert {"santander", "basque"} <= regions
    assert board.spaces["cangas_de_onis"]["region"] == "asturias"
    assert board.link("cangas_de_onis", "san_vicente")


@pytest.mark.rule("20.1")
def test_badajoz_can_be_attacked_as_the_example_tells(board):
    assert board.link("badajoz", "caceres") == "river"
    assert board.link("badajoz", "zafra") == "road"
    assert board.link("badajoz", "merida") and board.link("badajoz", "jerez_de_los_caballeros")
    assert board.spaces["badajoz"]["terrain"] == "open"
    assert board.neighbours("jerez_de_los_caballeros") == {"badajoz", "zafra", "riotinto"}


@pytest.mark.rule("24.2")
@pytest.mark.parametrize(
    "a, b, kind",
    [
        ("sevilla", "riotinto", "road"),
        ("huelva", "riotinto", "road"),
        ("riotinto", "jerez_de_los_caballeros", "road"),
        ("sevilla", "santa_olalla", "road"),
        ("riotinto", "santa_olalla", "road"),
        ("santa_olalla", "cazalla", "road"),
        ("cazalla", "penarroya", "road"),
        ("santa_olalla", "zafra", "road"),
        ("caceres", "merida", "river"),
        ("jerez_de_los_caballeros", "zafra", "road"),
        ("merida", "zafra", "road"),
        ("villalba", "castropol", "road"),
        ("castropol", "pto_de_la_espina", "road"),
        ("penarroya", "llerena", "road"),
        ("llerena", "zafra", "road"),
    ],
)
def test_the_links_of_the_extended_example(board, a, b, kind):
    assert board.link(a, b) == kind


@pytest.mark.rule("24.2")
def test_what_else_the_extended_example_tells_of_the_map(board):
    open_spaces = ("riotinto", "santa_olalla", "merida", "jerez_de_los_caballeros")
    assert {board.spaces[name]["terrain"] for name in open_spaces} == {"open"}
    assert "jerez_de_los_caballeros" in board.zone("barcelona")
    assert board.spaces["cazalla"]["control"] == "republican"
    republican = board.where(control="republican")
    assert board.neighbours("lugo") & republican == {"castropol"}
    assert all(board.spaces[name].get("port") for name in ("cadiz", "mallorca", "valencia"))


@pytest.mark.rule("21.1", "21.3")
def test_what_the_advice_tells_of_the_map(board):
    assert board.link("san_martin_de_la_vega", "madrid")
    assert board.link("san_martin_de_la_vega", "madridejos")
    assert {"somosierra", "brihuega", "cuenca", "loja", "guadix", "jaen"} <= board.front("campaign")
    assert board.spaces["granada"]["terrain"] == "mountain"
    assert board.link("guadix", "granada")
    assert board.link("talavera", "toledo") and board.link("talavera", "illescas")
    rim = ("segorbe", "requena", "barracas", "rubielos_de_mora", "ademuz", "morella")
    assert {board.spaces[name]["terrain"] for name in rim} == {"mountain"}
    south = [name for name in board.zone("sevilla") if board.spaces[name].get("source")]
    assert south == ["sevilla"]


@pytest.mark.rule("21.2")
def test_santander_is_open_along_the_coast_and_mountain_to_the_south(board):
    assert board.spaces["pto_del_escudo"]["terrain"] == "mountain"
    assert board.spaces["san_vicente"]["terrain"] == board.spaces["santona"]["terrain"] == "open"


# ------------------------------------------------------------ kinds of space


@pytest.mark.rule("3.0.main_city")
def test_the_six_main_cities(board):
    cities = board.where(main_city=True)
    assert cities == {"barcelona", "bilbao", "madrid", "sevilla", "valencia", "zaragoza"}
    assert cities & board.where(control="nationalist") == {"sevilla", "zaragoza"}


@pytest.mark.rule("3.0.coastal", "3.0.sea_zones")
def test_the_coasts_are_exactly_those_that_are_listed(board):
    assert board.where(coast="atlantic") == {
        "san_sebastian",
        "bilbao",
        "santona",
        "santander",
        "san_vicente",
        "gijon",
        "pto_de_la_espina",
        "castropol",
        "la_coruna",
        "pontevedra",
    }
    islands_and_beaches = board.where(balearic=True) | board.where(dormant=True)
    assert board.where(coast="mediterranean") - islands_and_beaches == {
        "huelva",
        "cadiz",
        "algeciras",
        "malaga",
        "velez_malaga",
        "motril",
        "adra",
        "almeria",
        "garrucha",
        "aguilas",
        "cartagena",
        "alicante",
        "gandia",
        "valencia",
        "castellon",
        "vinaroz",
        "tortosa",
        "tarragona",
        "barcelona",
    }


@pytest.mark.rule("3.0.balearics")
def test_the_balearic_islands(board):
    assert board.where(balearic=True) == {"mallorca", "menorca", "beach_head_mallorca"}


@pytest.mark.rule("3.0.province_capital")
def test_there_are_forty_eight_province_capitals(board):
    assert len(board.where(capital=True)) == 48


@pytest.mark.rule("3.0.vp_space")
def test_vp_spaces_are_capitals_or_cartagena_and_worth_28_in_all(board):
    worth = {name: space["vp"] for name, space in board.spaces.items() if "vp" in space}
    assert set(worth) - board.where(capital=True) == {"cartagena"}
    assert sum(worth.values()) == 28 and len(worth) == 21
    assert worth["madrid"] == 3
    assert {worth[city] for city in board.where(main_city=True) - {"madrid"}} == {2}
    catalonia = ("barcelona", "lerida", "tarragona", "gerona")
    assert sum(worth.get(name, 0) for name in catalonia) == 4
    assert "oviedo" not in worth and worth["teruel"] == worth["mallorca"] == 1
    assert board.spaces["teruel"]["terrain"] == "mountain"


@pytest.mark.rule("13.2.1", "13.2.4", "14.2.5", "17.1.1")
def test_the_supply_sources(board):
    assert {"la_coruna", "valladolid", "zaragoza"} <= board.zone("valladolid")
    assert board.where(source="nationalist") == {
        "la_coruna",
        "valladolid",
        "zaragoza",
        "sevilla",
        "mallorca",
    }
    assert board.where(source="republican") >= {"gijon", "santander", "bilbao", "barcelona"}
    assert board.where(source="badajoz") == {"badajoz"}
    assert "source" not in board.spaces["madrid"]


@pytest.mark.rule("3.0.northern_front", "16.4.1")
def test_the_northern_front_is_fourteen_spaces_cut_off_from_the_rest(board):
    north = {n for n, s in board.spaces.items() if "region" in s} & board.where(
        control="republican"
    )
    assert len(north) == 14 and board.zone("gijon") == north
    assert board.spaces["oviedo"]["region"] == "asturias"
    sources = board.where(source="republican") & north
    assert {board.spaces[name]["region"] for name in sources} == {"asturias", "santander", "basque"}


@pytest.mark.rule("16.7.1")
def test_the_ports_at_the_strait(board):
    assert [name for name in ("huelva", "cadiz") if board.spaces[name].get("port")] == ["cadiz"]
    assert board.spaces["algeciras"]["port"]


@pytest.mark.rule("16.2.1", "3.0.isolated_space")
def test_oviedo_and_granada_start_surrounded(board, plain):
    assert plain["tables"]["isolated_spaces"]["spaces"] == ["oviedo", "granada"]
    for name in ("oviedo", "granada"):
        assert board.zone(name) == {name}


@pytest.mark.rule("16.1.1")
def test_the_besieged_spaces_are_republican(board, plain):
    besieged = {siege["space"] for siege in plain["tables"]["sieges"]}
    assert besieged == {"gijon", "pto_de_valderrepiso", "toledo"}
    assert besieged <= board.where(control="republican")


# ------------------------------------------------------------ control


@pytest.mark.parametrize(
    "scenario, nationalist, republican",
    [
        ("campaign", [59, 9, 1, 1, 1], [108, 14, 1]),
        ("two_years_of_war", [92, 1, 1], [88, 11, 1]),
        ("republican_collapse", [103, 1], [89, 1]),
    ],
)
def test_the_zones_of_both_sides(board, scenario, nationalist, republican):
    assert board.zones("nationalist", scenario) == nationalist
    assert board.zones("republican", scenario) == republican


def test_the_zones_at_the_start_are_where_the_texts_have_them(board):
    assert len(board.zone("valladolid")) == 59 and len(board.zone("sevilla")) == 9
    assert board.zone("mallorca") == {"mallorca"} and board.zone("menorca") == {"menorca"}


@pytest.mark.parametrize("scenario", SETUPS)
def test_every_space_at_the_front_is_garrisoned(board, scenario):
    """A regularity of the three printed set-ups, by which doubtful links were decided."""
    assert board.front(scenario) - board.occupied(scenario) == set()


@pytest.mark.parametrize(
    "scenario, held",
    [
        ("campaign", 7),
        ("two_years_of_war", 10),
        ("republican_collapse", 13),
    ],
)
def test_the_victory_points_that_the_nationalists_hold(board, scenario, held):
    holders = board.control(scenario)
    assert (
        sum(
            space.get("vp", 0)
            for name, space in board.spaces.items()
            if holders.get(name) == "nationalist"
        )
        == held
    )


@pytest.mark.rule("19.3.5.2")
def test_oviedo_starts_turn_6_out_of_supply(board):
    assert board.zone("oviedo", "two_years_of_war") == {"oviedo"}


def test_the_northern_front_can_reach_france(board):
    assert board.spaces["san_sebastian"]["border"] == "france"
    assert {"huelva", "badajoz", "caceres"} <= board.where(border="portugal")


def test_aliases_lead_to_spaces(board, plain):
    assert plain["map"]["aliases"]["Jerez de la Frontera"] == "arcos_de_la_frontera"
    assert set(plain["map"]["aliases"].values()) <= set(board.spaces)


@pytest.mark.rule("11.4.3")
def test_brihuega_cancels_a_retreat_without_a_trench(board):
    """As a report of a game tells of turn 3, when there can be no Trench and no Position yet."""
    assert board.spaces["brihuega"]["terrain"] == "mountain"
    assert "brihuega" in board.front("campaign")
