"""A notebook in Python: what a benchmark found, read from its folder with NumPy alone.

    python3 examples/read_records.py results
"""
import gzip
import json
import pathlib
import sys
from collections import defaultdict

import numpy as np

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "studies/paper-tasks")
records = [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines() if line]

best = defaultdict(list)
for record in records:
    best[record["task"], record["algorithm"], record["variant"]].append(max(record["result"]["scores"]))
for (task, algorithm, variant), scores in best.items():
    print(f"{task:32} {algorithm:10} {variant:10} {np.mean(scores):10.4g} ± {np.std(scores):.2g} ({len(scores)} seeds)")

# designs, where `bench run --designs` kept them: one row per design, in the order of the scores
for record in records:
    path = folder / "designs" / f"{record['id']}.npy.gz"
    if path.exists():
        designs = np.load(gzip.open(path))
        print(record["task"], record["algorithm"], "seed", record["seed"], designs.shape, designs.dtype)
        break
