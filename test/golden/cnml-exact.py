"""Golden values for test/models/cnml.test.ts, lastLayer.test.ts and test/paper/, by Newton's method in NumPy.

    python3 test/golden/cnml-exact.py     writes cnml-exact.json beside this file

Exact conditional NML: for every query and every label the model is fitted again, to the data and the labelled query.
"""

import json
import pathlib

import numpy as np

ABOUT = (
    "exact quantised CNML of a convex model (discretised logistic over cubic features 1,x,x^2,x^3; ridge "
    "lam/2*|theta|^2; loss = sum over rows of mean-over-K binary cross entropy), each augmented fit solved to 1e-11. "
    "Bin probabilities are differences of o with the two tails folded into the end bins: o[0] is taken as 1 and o[K] "
    "as 0. own[k] = probability model k gives to its own label k; gamma = log sum own."
)
K, scale, lam = 8, 0.25, 1e-3
k = np.arange(K)
rng = np.random.default_rng(2)
x = np.concatenate([rng.uniform(-2, -0.5, 8), rng.uniform(0.8, 1.5, 7)])
# Chosen by hand: low on the left, high on the right, nothing in between.
bins = np.array([0, 0, 1, 0, 0, 1, 0, 0, 7, 7, 7, 7, 7, 7, 7])


def features(at):
    return np.stack([at**0, at, at**2, at**3], axis=-1)


def fit(phi, labels):
    """Newton's method, with halved steps where the loss would grow."""
    wanted = (k <= labels[:, None]).astype(float)

    def loss(theta):
        z = ((phi @ theta)[:, None] - k / K) / scale
        return (np.logaddexp(0, z) - wanted * z).mean(1).sum() + lam / 2 * theta @ theta

    theta = np.zeros(phi.shape[1])
    for _ in range(200):
        z = ((phi @ theta)[:, None] - k / K) / scale
        o = 0.5 * (1 + np.tanh(z / 2))
        gradient = phi.T @ (o - wanted).mean(1) / scale + lam * theta
        if np.abs(gradient).max() < 1e-14:
            break
        curvature = (o * (1 - o)).mean(1) / scale**2
        step = np.linalg.solve((phi * curvature[:, None]).T @ phi + lam * np.eye(len(theta)), gradient)
        size = 1.0
        while loss(theta - size * step) > loss(theta) + 1e-12 and size > 1e-10:
            size /= 2
        theta = theta - size * step
    assert np.abs(gradient).max() < 1e-11, np.abs(gradient).max()
    return theta


def probabilities(mu):
    o = 1 / (1 + np.exp(-(mu - k / K) / scale))
    o[0] = 1
    return o - np.append(o[1:], 0)


phi = features(x)
queries = []
for at in [-1.2, 0.1, 1.1, 3.0]:
    row = features(np.array(at))
    mu = [float(row @ fit(np.vstack([phi, row]), np.append(bins, label))) for label in k]
    own = np.array([probabilities(m)[label] for label, m in enumerate(mu)])
    queries.append(
        {"x": at, "mu": mu, "own": own.tolist(), "pnml": (own / own.sum()).tolist(), "gamma": float(np.log(own.sum()))}
    )
golden = {
    **{"about": ABOUT, "K": K, "scale": scale, "lam": lam, "x": x.tolist(), "bins": bins.tolist()},
    **{"theta0": fit(phi, bins).tolist(), "queries": queries},
}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(golden))
