"""scikit-learn's Gaussian process on what sklearnCheck.mjs sends: at our hyperparameters, and fitted by itself."""

import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

warnings.filterwarnings("ignore")
answers = []
for table in json.load(sys.stdin):
    x, y, at = (np.array(table[name]) for name in ("x", "y", "at"))
    theta = np.array(table["theta"])

    def regressor(constant, lengths, noise, **options):
        kernel = ConstantKernel(constant, (1e-3, 1e3)) * Matern(lengths, (1e-2, 1e3), nu=2.5)
        kernel += WhiteKernel(noise, (1e-6, 10))
        return GaussianProcessRegressor(kernel, random_state=0, **options).fit(x, y)

    ours = regressor(np.exp(theta[0]), np.exp(theta[1:-1]), np.exp(theta[-1]), optimizer=None)
    mean, sd = ours.predict(at, return_std=True)
    fitted = regressor(1.0, np.ones(x.shape[1]), 1e-2, n_restarts_optimizer=2)
    answers.append(
        {
            "logLikelihoodAtOurs": ours.log_marginal_likelihood_value_,
            "mean": mean.tolist(),
            "sd": sd.tolist(),
            "logLikelihoodFitted": fitted.log_marginal_likelihood_value_,
            "meanFitted": fitted.predict(at).tolist(),
        }
    )
json.dump({"version": sklearn.__version__, "answers": answers}, sys.stdout)
