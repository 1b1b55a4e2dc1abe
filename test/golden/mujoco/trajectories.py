"""Trajectories of the three robots by native MuJoCo, compared with the committed ones.

    node test/golden/mujoco/models.mjs > models.json          needs a build
    python3 test/golden/mujoco/trajectories.py models.json [folder]     with a folder: writes the trajectories there

Each line holds qpos, then qvel, after one step of the environment. Control k at step t (from 0) is
amplitude * (((floor(t / 5) * 37 + k * 101 + 17) mod 64) - 32) / 32. The start is MuJoCo's reset, without noise.
"""

import json
import pathlib
import sys

import mujoco
import numpy as np

# Committed file, MuJoCo steps per environment step, amplitude, environment steps.
ROBOTS = {
    "hopper": ("hopper_native2.2.2_200steps.txt", 4, 0.3, 200),
    "ant": ("ant_native2.2.2_100steps.txt", 5, 0.5, 100),
    "dkitty": ("dkitty_native2.2.2_50steps.txt", 40, 0.5, 50),
}
models = json.loads(pathlib.Path(sys.argv[1]).read_text())
print(f"MuJoCo {mujoco.__version__}")
for robot, (name, frame_skip, amplitude, steps) in ROBOTS.items():
    model = mujoco.MjModel.from_xml_string(models[robot])
    data = mujoco.MjData(model)
    mujoco.mj_resetData(model, data)
    rows = []
    for t in range(steps):
        data.ctrl[:] = [amplitude * (((t // 5) * 37 + k * 101 + 17) % 64 - 32) / 32 for k in range(model.nu)]
        for _ in range(frame_skip):
            mujoco.mj_step(model, data)
        rows.append([*data.qpos, *data.qvel])
    committed = np.loadtxt(pathlib.Path(__file__).with_name(name))
    print(f"{robot}: largest difference from {name}: {np.abs(np.array(rows) - committed).max():.1e}")
    if len(sys.argv) > 2:
        lines = ["".join(f"{value:.17g} " for value in row) for row in rows]
        (pathlib.Path(sys.argv[2]) / f"{robot}.txt").write_text("\n".join(lines) + "\n")
