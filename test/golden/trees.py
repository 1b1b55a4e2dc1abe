"""Golden trees for test/models, by scikit-learn.

    python3 test/golden/trees.py        writes trees.json beside this file

scikit-learn reads x as float32 and breaks ties at random or by rounding. So x are multiples of 1/64, each model is
fitted with several random states, which have to agree, and no cut of a single tree may have an equal.
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.class_weight import compute_sample_weight

states = range(8)
rng = np.random.default_rng(7)
n, d = 160, 4
x = np.round(rng.normal(size=(n, d)) * 64) / 64
x[:, 3] = np.round(x[:, 3] * 2) / 2
noise = rng.normal(size=n)
y = np.round((np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 3] + 0.3 * noise) * 1024) / 1024
w = np.round(rng.uniform(0.25, 4, size=n) * 64) / 64
labels = (x[:, 0] + x[:, 1] + 1.5 * rng.normal(size=n) > 1).astype(int)
questions = np.round(rng.normal(size=(40, d)) * 64) / 64


def agreed(fit):
    first, *others = [fit(state) for state in states]
    for other in others:
        for a, b in zip(first, other, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
    return [np.asarray(part).tolist() for part in first]


def squared_error(scores, weights):
    mean = np.average(scores, weights=weights)
    return (weights * (scores - mean) ** 2).sum()


def assert_no_ties(model, scores, weights):
    """Of labels, the squared error is half the Gini impurity."""
    tree = model.tree_
    reached = model.decision_path(x).toarray() == 1
    for node in np.flatnonzero(tree.children_left >= 0):
        here = reached[:, node]
        errors = []
        for column in x[here].T:
            for value in np.unique(column)[:-1]:
                left = column <= value
                if min(left.sum(), (~left).sum()) < model.min_samples_leaf:
                    continue
                sides = [squared_error(scores[here][side], weights[here][side]) for side in (left, ~left)]
                errors.append(sum(sides))
        best, second = sorted(errors)[:2]
        assert second - best > 1e-9 * squared_error(scores[here], weights[here]), (node, best, second)


def nodes(model, values):
    """Preorder, as scikit-learn keeps them."""
    tree = model.tree_
    is_leaf = tree.children_left < 0
    return np.where(is_leaf, -1, tree.feature), np.where(is_leaf, values(tree), tree.threshold)


def regression_tree(weights):
    def fit(state):
        model = DecisionTreeRegressor(max_depth=5, min_samples_leaf=6, random_state=state)
        model.fit(x, y, sample_weight=weights)
        assert_no_ties(model, y, np.ones(n) if weights is None else weights)
        return nodes(model, lambda tree: tree.value[:, 0, 0])

    return agreed(fit)


def classification_tree():
    def fit(state):
        model = DecisionTreeClassifier(max_depth=3, min_samples_leaf=12, class_weight="balanced", random_state=state)
        model.fit(x, labels)
        assert_no_ties(model, labels, compute_sample_weight("balanced", labels))
        return nodes(model, lambda tree: tree.value[:, 0, 1] / tree.value[:, 0].sum(axis=1))

    return agreed(fit)


def boosting():
    def fit(state):
        model = GradientBoostingRegressor(
            n_estimators=40, max_depth=3, min_samples_leaf=8, learning_rate=0.1, random_state=state
        )
        return [model.fit(x, y).predict(questions)]

    return agreed(fit)[0]


golden = {
    "about": f"test/golden/trees.py, scikit-learn {sklearn.__version__}; options are in that script",
    "x": x.tolist(),
    "y": y.tolist(),
    "weights": w.tolist(),
    "labels": labels.tolist(),
    "questions": questions.tolist(),
    "tree": dict(zip(["column", "number"], regression_tree(None), strict=True)),
    "weightedTree": dict(zip(["column", "number"], regression_tree(w), strict=True)),
    "classificationTree": dict(zip(["column", "number"], classification_tree(), strict=True)),
    "boosting": boosting(),
}
path = pathlib.Path(__file__).with_name("trees.json")
path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
print(f"{path}: {path.stat().st_size} bytes")
