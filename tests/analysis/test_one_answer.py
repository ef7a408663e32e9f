"""One answer: verdicts, intervals and how sure they are come from the rooms of statistics; screens only read them.

A p value compared, an interval or a quantile worked out, or a verdict's name written down anywhere else fails; so does, in any
room, a verdict read back from its words.
"""

import ast

from newdawn.analysis.stats import verdicts
from newdawn.analysis.stats.verdicts import Labels, Verdict
from newdawn.scripts.house.import_graph import ROOT

HERE = ("analysis", "scripts/cli")
# Where intervals and tests are made: the methods, and what is counted and modelled, for runs and for the explorer.
ESTIMATORS = ("analysis/stats/", "analysis/tables/", "analysis/explorer/views.py")
HANDED_ON = ("analysis/web/page_texts.py",)  # quantiles, to the page in the browser
NO_VERDICTS = ("scripts/cli/rules.py",)  # `balanced` is a folder there
P_VALUES = {"p", "p_adjusted", "p_holm", "SIGNIFICANT"}
INTERVALS = {
    "wilson", "rate_columns", "clustered_rate_columns", "around", "together", "two_sided", "normal_ends", "widened", "newcombe",
    "rate_difference", "against_share", "exact_ends", "score_ends", "with_few", "holm", "ndtri", "ndtr", "ppf", "isf", "sf",
    "quantile", "percentile", "quantile_for", "against_margin", "adjusted_p", "QUANTILE", "SIGNIFICANT", "CONFIDENCE",
}  # fmt: skip
# Names of verdicts that mean nothing else; "balanced", "raised" or "met" are words of the language, too.
KINDS = [labels for labels in vars(verdicts).values() if isinstance(labels, Labels)]
NAMES = {words.of(verdict) for words in KINDS for verdict in Verdict} - {
    "balanced", "raised", "lowered", "unchanged", "average", "stronger", "weaker", "alike", "met", "missed",
}  # fmt: skip
WHOLE = {"balanced", "unchanged"}  # not as a string of their own


def name_of(node):
    """The name that an expression asks for: `p` of p, row.p, row["p"] and frame.p[0]."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return node.slice.value if isinstance(node.slice, ast.Constant) else name_of(node.value)
    return None


def docstrings(tree):
    """The places of the docstrings of a module."""
    owners = (ast.Module, ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, owners)]
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


def names_one(text):
    """Whether a text names a verdict."""
    return text in WHOLE or any(name in text for name in NAMES)


def own(node, imported):
    """The names that are the module's own: not imported, and no attribute."""
    return {node.id} - imported if isinstance(node, ast.Name) else set()


def judgements(text):
    """What a module judges by itself, a line each."""
    tree, found = ast.parse(text), []
    said = docstrings(tree)
    imported = {one.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for one in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
            sides = [name_of(side) for side in (node.left, *node.comparators)]
            itself = ast.dump(node.left) == ast.dump(node.comparators[0])  # p == p: is it known?
            if P_VALUES & set(sides) and not itself:
                found.append(f"{node.lineno}: compares a p value: {ast.unparse(node)}")
        elif isinstance(node, ast.Name | ast.Attribute) and name_of(node) in INTERVALS - own(node, imported):
            found.append(f"{node.lineno}: works out an interval or a quantile: {ast.unparse(node)}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said and names_one(node.value):
            found.append(f"{node.lineno}: names a verdict: {node.value!r}")
    return found


COMPARED_BY = {"gt", "lt", "ge", "le", "between"}  # methods of columns that compare
# Hold the intervals themselves against the truth; judge times of a machine.
TRIALS = ("scripts/checks/calibrate.py", "scripts/bench/")


def is_end(node):
    """Whether an expression is a p value or the end of an interval: row["p"], frame["points_all_low"], abs(row["a_high"])."""
    if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Name):
        return any(is_end(one) for one in node.args)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("abs", "to_numpy", "astype"):
        return is_end(node.func.value)
    if isinstance(node, ast.BinOp):
        return is_end(node.left) or is_end(node.right)
    if isinstance(node, ast.UnaryOp):
        return is_end(node.operand)
    if isinstance(node, ast.Name):
        return node.id == "SIGNIFICANT"
    if not isinstance(node, ast.Subscript):
        return False
    text = node.slice.values[-1] if isinstance(node.slice, ast.JoinedStr) else node.slice
    name = str(text.value) if isinstance(text, ast.Constant) else ""
    return name in P_VALUES or name.endswith(("_low", "_high"))


def ends_compared(text):
    """Where a module compares p values or the ends of intervals, a line each."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in COMPARED_BY:
            asked = [node.func.value, *node.args]
        else:
            continue
        if any(is_end(one) for one in asked):
            found.append(f"{node.lineno}: compares a p value or the end of an interval: {ast.unparse(node)}")
    return found


WORDS_READ = {"isin", "eq", "ne", "map", "index", "startswith", "endswith"}  # what asks words which verdict they are


def is_words(node):
    """Whether an expression is the words of verdicts: row["verdict"], frame["own_verdict"]."""
    return isinstance(node, ast.Subscript) and str(name_of(node)).endswith("verdict")


def read_back(text):
    """Where a module decides by the words of a verdict, a line each."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WORDS_READ:
            asked = [node.func.value, *node.args]
        else:
            continue
        if any(is_words(one) for one in asked):
            found.append(f"{node.lineno}: reads a verdict back from its words: {ast.unparse(node)}")
    return found


def modules():
    """All modules of analysis and of the command line, by their paths."""
    return {path.relative_to(ROOT).as_posix(): path for top in HERE for path in sorted((ROOT / top).rglob("*.py"))}


def test_no_screen_judges_by_itself():
    found = {}
    for name, path in modules().items():
        if not name.startswith((*ESTIMATORS, *HANDED_ON, *NO_VERDICTS)) and (own := judgements(path.read_text("utf-8"))):
            found[name] = own
    assert found == {}


def test_no_verdict_is_read_back_from_its_words():
    found = {name: own for name, path in modules().items() if (own := read_back(path.read_text("utf-8")))}
    for path in sorted((ROOT / "scripts" / "checks").rglob("*.py")):
        if own := read_back(path.read_text("utf-8")):
            found[path.name] = own
    assert found == {}
    for line in (
        'row["verdict"] == words', 'words != frame["own_verdict"]', 'row["verdict"] in words', 'frame["verdict"].isin(words)',
        'order.index(row["spread_verdict"])', 'frame["verdict"].map(order)', 'row["verdict"].startswith("above")',
    ):  # fmt: skip
        assert len(read_back(line)) == 1, line
    for line in ('row["verdict_key"] == key', '"verdict" in frame', "f'{row}: {words}'", 'frame.groupby("verdict")'):
        assert read_back(line) == [], line


def test_p_values_and_ends_of_intervals_are_compared_in_statistics_only():
    found = {}
    for top in ("analysis", "scripts"):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(("analysis/stats/", *TRIALS)) and (own := ends_compared(path.read_text("utf-8"))):
                found[name] = own
    assert found == {}
    for line in (
        'row["p"] < 0.05', 'frame["p_adjusted"] <= limit', 'row["rate_low"] > share', '0 < frame["points_all_low"]',
        'max(abs(row["a_low"]), abs(row["a_high"])) >= margin', 'frame["a"] + frame["a_high"] < dead', "p <= SIGNIFICANT",
        'frame[f"{name}_all_low"] > 0', 'frame["rate_high"].lt(0.1)', 'low = frame["a_low"].between(0, 1)',
    ):  # fmt: skip
        assert len(ends_compared(line)) == 1, line
    for line in ('row["lowest"] > 0', 'n = len(frame["a_low"]) * 2', '"rate_low" in frame', 'row["n"] < 100', "low < high"):
        assert ends_compared(line) == [], line


def test_a_judgement_is_seen():
    for line in (
        "x = frame['p_adjusted'] <= 0.05", "if row.p < limit: pass", "x = SIGNIFICANT >= p",
        "from rates import wilson\nlow, high = wilson(1, 2)", "z = special.ndtri(0.975)", "q = np.quantile(x, 0.5)",
        "x = 'too strong'", "x = f'{name} is too weak'", "x = 'balanced'",
        "from inference import QUANTILE\nreach = QUANTILE * error",
    ):  # fmt: skip
        assert len(judgements(line)) >= 1, line
    for line in ("x = row['p'] == row['p']", "x = 'a balanced table of leaders'", "'too strong'", "n = frame['n'] > 3"):
        assert judgements(line) == [], line
