"""scikit-learn on the rows of trees.mjs, for docs/trees.md.

    node studies/trees/run.mjs <folder> --held rows.json
    python3 studies/trees/sklearn_trees.py <folder> rows.json
"""

import gzip
import json
import pathlib
import sys
import time

import numpy as np
import sklearn
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

folder, held_rows = sys.argv[1:]
with gzip.open(pathlib.Path(folder) / "superconductor" / "train.csv.gz") as file:
    table = np.loadtxt(file, delimiter=",", skiprows=1)
held = np.zeros(len(table), bool)
held[json.loads(pathlib.Path(held_rows).read_text())] = True
x, y = table[:, :-1], table[:, -1]

print(f"scikit-learn {sklearn.__version__}, {held.sum()} rows held out")
for model in [
    RandomForestRegressor(100, max_features=1.0, random_state=0),
    GradientBoostingRegressor(n_estimators=374, max_depth=16, learning_rate=0.02, subsample=0.5, random_state=0),
]:
    start = time.process_time()
    model.fit(x[~held], y[~held])
    seconds = time.process_time() - start
    errors = model.predict(x[held]) - y[held]
    r2 = 1 - (errors**2).mean() / y[held].var()
    rmse = np.sqrt((errors**2).mean())
    print(f"{type(model).__name__}: R2 {r2:.4f}, RMSE {rmse:.3f}, {seconds:.0f} s of processor time", flush=True)
