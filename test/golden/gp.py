"""Golden values for test/models/gaussianProcess.test.ts and test/numeric/linalg.test.ts, by scikit-learn and SciPy.

    python3 test/golden/gp.py     writes gp.json beside this file

Exact Gaussian processes with fixed hyperparameters: posterior, marginal likelihood and its slopes, expected improvement.
"""

import json
import pathlib

import numpy as np
from scipy.stats import norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct, WhiteKernel

ABOUT = (
    "exact GP regression, zero mean, made with scikit-learn. rbf: 1.7*exp(-|a-b|^2/(2*1.3^2)) + 0.02*I. sd is of the "
    "latent function (noise removed). ei over the best training y, latent sd. gradLogTheta: d logMarginal / d "
    "log(constant, lengthscale, noise). dot: 0.5^2 + a.b + 0.1*I, sd latent."
)
rng = np.random.default_rng(1)
X = rng.normal(size=(20, 3))
y = np.sin(X[:, 0]) + 0.5 * X[:, 1] ** 2 + 0.1 * rng.normal(size=20)
query = rng.normal(size=(8, 3))


def posterior(kernel, noise):
    model = GaussianProcessRegressor(kernel + WhiteKernel(noise), alpha=0, optimizer=None).fit(X, y)
    mean, sd = model.predict(query, return_std=True)
    # WhiteKernel counts as part of the prediction; the latent function has no noise.
    return model, mean, np.sqrt(sd**2 - noise)


model, mean, sd = posterior(ConstantKernel(1.7) * RBF(1.3), 0.02)
value, slopes = model.log_marginal_likelihood(model.kernel_.theta, eval_gradient=True)
z = (mean - y.max()) / sd
rbf = {
    **{"variance": 1.7, "lengthscale": 1.3, "noise": 0.02, "mean": mean.tolist(), "sd": sd.tolist()},
    **{"logMarginal": float(value), "gradLogTheta": slopes.tolist()},
    "ei": (sd * (z * norm.cdf(z) + norm.pdf(z))).tolist(),
}
_, mean, sd = posterior(DotProduct(0.5), 0.1)
dot = {"sigma0": 0.5, "noise": 0.1, "mean": mean.tolist(), "sd": sd.tolist()}
golden = {"about": ABOUT, "X": X.tolist(), "y": y.tolist(), "query": query.tolist(), "rbf": rbf, "dot": dot}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(golden))
