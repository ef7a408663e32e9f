"""Every rule of the base game and every printed effect has a test, and every marker names something that exists."""

import pytest

from newdawn.simulator.errors import UserError
from newdawn.simulator.rules.coverage import coverage, expected, find_tests, read_claims


@pytest.fixture(scope="module")
def matrix():
    return coverage(find_tests())


@pytest.mark.parametrize("marker", ["rule", "effect"])
def test_everything_is_proven_by_a_test(matrix, marker):
    missing = [entry.name for entry in matrix.uncovered if entry.marker == marker]
    assert not missing, f"no test has the marker {marker} for: {', '.join(missing)}"


def test_every_marker_names_something_known(matrix):
    assert not matrix.problems, "\n".join(matrix.problems)


def test_the_matrix_lists_the_whole_base_game():
    kinds = [entry.kind for entry in expected() if entry.marker == "effect"]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "focus card": 20, "leader": 8, "wonder": 24, "diplomacy card": 4, "city-state": 8, "agenda": 10, "dial icon": 3,
        "dial": 1,
    }  # fmt: skip
    assert len([entry for entry in expected() if entry.marker == "rule"]) == 77
    assert all(entry.text for entry in expected())


# --- how the files are read


def claims(text):
    found, problems = read_claims("import pytest\n" + text, "tests/test_x.py")
    assert problems == []
    return [(claim.marker, claim.name, claim.test.partition("::")[2]) for claim in found]


def problem(text):
    _, (found,) = read_claims("import pytest\n" + text, "tests/test_x.py")
    return found


def test_markers_on_functions_classes_cases_and_modules_count():
    text = """
pytestmark = pytest.mark.rule("B1.1")
WONDERS = ("Petra", "Oracle")
CASES = [pytest.param(w, marks=pytest.mark.effect(w)) for w in WONDERS]

@pytest.mark.effect("Rome")
class TestRome:
    @pytest.mark.rule("B1.2")
    def test_a(self): ...

@pytest.mark.parametrize("w", CASES)
def test_b(w): ...
"""
    assert claims(text) == [
        ("rule", "B1.1", "TestRome::test_a"),
        ("effect", "Rome", "TestRome::test_a"),
        ("rule", "B1.2", "TestRome::test_a"),
        ("rule", "B1.1", "test_b"),
        ("effect", "Petra", "test_b"),
        ("effect", "Oracle", "test_b"),
    ]


@pytest.mark.parametrize("idle", ["skip", "skip('later')", "xfail(reason='broken')", "skipif(True)"])
def test_a_test_that_does_not_have_to_pass_proves_nothing(idle):
    assert claims(f'@pytest.mark.{idle}\n@pytest.mark.rule("B1.1")\ndef test_a(): ...') == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('@pytest.mark.rule("B1.1")\ndef helper(): ...', "tests/test_x.py:2: the marker 'rule' is on no test"),
        ("@pytest.mark.rule(number)\ndef test_a(): ...", "tests/test_x.py:2: expected plain texts in the marker"),
        ("@pytest.mark.rule()\ndef test_a(): ...", "expected plain texts"),
        ("def test_a(:", "not valid Python"),
    ],
)
def test_markers_that_would_be_lost_are_reported(text, message):
    assert message in problem(text)


def write(folder, marker):
    (folder / "test_x.py").write_text(f"import pytest\n@pytest.mark.{marker}\ndef test_a(): ...\n", "utf-8")
    return coverage(folder)


@pytest.mark.parametrize(
    ("marker", "message"),
    [('rule("B8.44")', "unknown rule 'B8.44' in a marker; did you mean 'B8.4'?"),
     ('effect("Petri")', "unknown effect 'Petri' in a marker; did you mean 'Petra'?")],
)  # fmt: skip
def test_an_unknown_name_in_a_marker_is_an_error(tmp_path, marker, message):
    (found,) = write(tmp_path, marker).problems
    assert found == f"{tmp_path.name}/test_x.py:2: {message}"


def test_rules_of_the_expansion_may_be_named_and_are_not_asked_for(tmp_path):
    found = write(tmp_path, 'rule("T1.1")')
    assert found.problems == []
    assert not any(entry.name.startswith("T") for entry in found.entries if entry.marker == "rule")


def test_a_rule_of_parts_is_proven_by_all_its_parts(tmp_path):
    def proven(*numbers):
        return not any(e.name == "B11.3" for e in write(tmp_path, f"rule({', '.join(map(repr, numbers))})").uncovered)

    assert proven("B11.3a", "B11.3b", "B11.3c")
    assert not proven("B11.3a", "B11.3c")


def test_a_folder_without_tests_is_an_error(tmp_path):
    with pytest.raises(UserError, match="no test files"):
        coverage(tmp_path)


def test_an_installed_package_has_no_tests(tmp_path, monkeypatch):
    from newdawn import simulator

    monkeypatch.setattr(simulator, "__file__", str(tmp_path / "simulator" / "__init__.py"))
    with pytest.raises(UserError, match="no tests here"):
        find_tests()
