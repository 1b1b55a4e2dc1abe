"""Predicts rows from the model file of a run, without nemokit and with Python's standard library alone.

    python3 predict.py RUN rows.csv        prints one JSON object per row: expected, lo80, hi80, better, gamma, goals

Reads RUN/model.json and RUN/model.safetensors. docs/model-file.md describes every step, in the same order. Lists of
floats are slow: a table of a thousand rows takes a minute.
"""

import csv
import json
import math
import os
import struct
import sys
from operator import mul

KEPT = 0.6  # share of a class in its softened one-hot
NORMAL = 1.2815515655446004  # 80 % of a normal distribution lie within this many standard deviations
LEAST = 1e-3  # no judge of the objective is surer than this
EDGE = 0.02  # share of the range by which a logit stays away from its ends


# Files -----------------------------------------------------------------------------------------------------------


def read_tensors(path):
    """Name -> (shape, flat list of numbers)."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        body = file.read()
    letters = {"F32": ("f", 4), "F64": ("d", 8), "I32": ("i", 4), "I16": ("h", 2)}
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        letter, size = letters[entry["dtype"]]
        start, end = entry["data_offsets"]
        numbers = struct.unpack("<%d%s" % ((end - start) // size, letter), body[start:end])
        tensors[name] = (entry["shape"], list(numbers))
    return tensors


# Inputs ----------------------------------------------------------------------------------------------------------


class Row:
    """One row of texts, a dictionary by column name: inputs of the networks, numbers and classes of the processes."""

    def __init__(self, columns, cells):
        self.inputs, self.x, self.k = [], [], []
        was_empty = False
        for column in columns:
            kind = column["kind"]
            if kind == "missing":
                self.add_class(1 if was_empty else 0, 2)
                continue
            cell = cells[column["name"]].strip()
            was_empty = cell == ""
            if was_empty:
                if column["filler"] is None:
                    raise SystemExit("%s is empty" % column["name"])
                cell = column["filler"]
            if kind == "number":
                value = math.log(float(cell)) if column["log"] else float(cell)
                self.add_number(value, column["mean"], column["deviation"])
            elif kind == "category":
                self.add_class(column["levels"].index(str(cell)), len(column["levels"]))
            elif kind == "sequence":
                for letter in cell:
                    self.add_class(column["letters"].index(letter), len(column["letters"]))
            else:  # molecule
                bits = column["bits"][column["molecules"].index(cell)]
                for bit, mean, deviation in zip(bits, column["mean"], column["deviation"]):
                    self.add_number(int(bit), mean, deviation)

    def add_number(self, value, mean, deviation):
        self.x.append((value - mean) / deviation)
        self.inputs.append(self.x[-1])

    def add_class(self, index, classes):
        self.k.append(index)
        rest = (1 - KEPT) / classes
        self.inputs += [rest + KEPT if c == index else rest for c in range(classes)]


# Scales ----------------------------------------------------------------------------------------------------------


def to_scale(response, score):
    kind, side, width = response["kind"], response["side"], response["width"]
    t = side * (score - response["origin"])
    z = score
    if kind == "log":
        z = side * math.log(max(t, 1e-9 * width))
    elif kind == "root":
        z = side * math.copysign(math.sqrt(abs(t)), t)
    elif kind == "exp":
        z = math.exp((score - response["origin"]) / width)
    elif kind == "logit":
        p = EDGE + (1 - 2 * EDGE) * min(max(t / width, 0), 1)
        z = math.log(p / (1 - p))
    return (z - response["mean"]) / response["deviation"]


def from_scale(response, z):
    kind, side, width, origin = (response[name] for name in ("kind", "side", "width", "origin"))
    t = response["mean"] + response["deviation"] * z
    if kind == "log":
        return origin + side * math.exp(min(700, side * t))
    if kind == "root":
        return origin + t * abs(t)
    if kind == "exp":
        return origin + width * math.log(max(t, 1e-9))
    if kind == "logit":
        p = 1 / (1 + math.exp(-min(max(t, -700), 700)))
        return origin + width * (p - EDGE) / (1 - 2 * EDGE)
    return t


# Networks --------------------------------------------------------------------------------------------------------


def softplus(z):
    return max(z, 0) + math.log1p(math.exp(-abs(z)))


class Networks:
    def __init__(self, reading, response, tensors):
        self.reading, self.response, self.tensors = reading, response, tensors
        self.layers = sum(name.endswith(".weight") for name in tensors)

    def output(self, network, inputs):
        shift = self.tensors.get("input.shift")
        h = [x + s for x, s in zip(inputs, shift[1])] if shift else inputs
        for layer in range(self.layers):
            (_, rows, columns), weight = self.tensors["layer%d.weight" % layer]
            bias = self.tensors["layer%d.bias" % layer][1]
            at = network * rows * columns
            h = [
                bias[network * columns + j] + dot(h, weight[at + j : at + rows * columns : columns])
                for j in range(columns)
            ]
            if layer < self.layers - 1:
                h = [softplus(z) for z in h]
        return h[0]

    def read(self, row):
        """Mean and standard deviation of the objective on the scale of the judges."""
        groups, folds, each = (self.reading[name] for name in ("groups", "folds", "networksPerGroup"))
        low, high = self.reading["low"], self.reading["high"]
        said = []
        for r in range(each):
            for fold in range(folds):
                score = low + self.output(r * groups + fold, row.inputs) * (high - low)
                said.append(to_scale(self.response, min(max(score, low), high)))
        mean = sum(said) / len(said)
        variance = sum((z - mean) ** 2 for z in said) / len(said)
        return mean, max(LEAST, math.sqrt(variance))


# Gaussian processes ----------------------------------------------------------------------------------------------


def dot(a, b):
    return sum(map(mul, a, b))


class Member:
    """One Gaussian process."""

    def __init__(self, parameters, rows, z):
        self.parameters, self.rows = parameters, rows
        self.l = []  # lower triangle of the Cholesky factor, row by row
        for i, a in enumerate(rows):
            row = []
            for j in range(i):
                row.append((self.kernel(a, rows[j]) - dot(row, self.l[j])) / self.l[j][j])
            row.append(math.sqrt(self.kernel(a, a) + parameters["noise"] - dot(row, row)))
            self.l.append(row)
        self.white = self.whiten(z)

    def kernel(self, a, b):
        inverse, effects = self.parameters["inverse"], self.parameters["effects"]
        r, total, product = 0.0, 1.0, 0.0
        for u, (xa, xb) in enumerate(zip(a[0], b[0])):
            d = (xa - xb) ** 2
            r += d * inverse[u]
            total += effects[u] * (1 + d / 64) ** -8
            product += xa * xb
        for u, (ka, kb) in enumerate(zip(a[1], b[1]), len(a[0])):
            if ka == kb:
                total += effects[u]
            else:
                r += inverse[u]
        if self.parameters["form"] in ("parts", "plain"):
            smooth = (1 + r / 16) ** -8
        else:
            t = math.sqrt(5 * r)
            smooth = (1 + t + t * t / 3) * math.exp(-t)
        return total + self.parameters["v"] * smooth + self.parameters["line"] * product

    def whiten(self, b):
        """w of L w = b."""
        w = []
        for value, row in zip(b, self.l):
            w.append((value - dot(w, row)) / row[-1])
        return w

    def read(self, at):
        """Mean and variance, without noise."""
        w = self.whiten([self.kernel(at, other) for other in self.rows])
        variance = self.kernel(at, at) - dot(w, w)
        return dot(w, self.white), max(variance, 1e-10 * (1 + self.parameters["v"]))


class Process:
    """The judge of one score: processes of the same rows, mixed by their shares."""

    def __init__(self, reading):
        self.response = reading["response"]
        n = len(reading["z"])
        c, g = len(reading["x"]) // n, len(reading["k"]) // n
        rows = [(reading["x"][i * c : (i + 1) * c], reading["k"][i * g : (i + 1) * g]) for i in range(n)]
        self.members = [Member(member, rows, reading["z"]) for member in reading["members"]]
        self.shares = [member["share"] for member in reading["members"]]
        self.noise = dot(self.shares, [member["noise"] for member in reading["members"]])

    def read(self, row):
        """Mean and standard deviation on its own scale, without noise."""
        said = [member.read((row.x, row.k)) for member in self.members]
        mean = dot(self.shares, [m for m, _ in said])
        return mean, math.sqrt(dot(self.shares, [v + (m - mean) ** 2 for m, v in said]))


# Goals -----------------------------------------------------------------------------------------------------------


def desirability(ramp, value):
    ends = (-math.inf, -math.inf, math.inf, math.inf)
    zero_below, one_from, one_to, zero_above = (e if r is None else r for r, e in zip(ramp, ends))
    if value < one_from:
        return rise(zero_below, value, one_from)
    if value > one_to:
        return 1 - rise(one_to, value, zero_above)
    return 1.0


def rise(start, value, end):
    if value <= start:
        return 0.0
    if value >= end or start == -math.inf:
        return 1.0
    return (value - start) / (end - start)


class Goals:
    """A desirability, from a process of each goal."""

    def __init__(self, goals, processes, response, limit):
        self.goals, self.processes, self.response, self.limit = goals, processes, response, limit

    def read(self, row):
        said = [process.read(row) for process in self.processes]
        weights, draws = self.goals["weights"], self.goals["draws"]
        scores = []
        for t in range(len(draws[0])):
            logarithm = 0.0
            for g, (mean, deviation) in enumerate(said):
                value = from_scale(self.processes[g].response, mean + deviation * draws[g][t])
                d = desirability(self.goals["ramps"][g], self.limit(value, g))
                logarithm += weights[g] * math.log(d) if d > 0 else -math.inf
            scores.append(math.exp(logarithm / sum(weights)))
        mean = sum(scores) / len(scores)
        variance = sum((score - mean) ** 2 for score in scores) / len(scores)
        return to_scale(self.response, mean), max(LEAST, math.sqrt(variance) / self.response["deviation"])


# Both together ---------------------------------------------------------------------------------------------------


class Model:
    def __init__(self, run):
        with open(os.path.join(run, "model.json"), encoding="utf-8") as file:
            description = json.load(file)
        if description["modelVersion"] != 3 or description.get("reading", {}).get("readingVersion", 3) != 3:
            raise SystemExit("%s: model.json is of another version; run it again" % run)
        if "reading" not in description:
            raise SystemExit("%s: the run fitted no model" % run)
        self.reading = description["reading"]
        self.response = self.reading["objective"]["response"]
        tensors = read_tensors(os.path.join(run, "model.safetensors"))
        self.networks = Networks(self.reading["networks"], self.response, tensors)
        self.processes = [Process(process) for process in self.reading["processes"]]
        self.judge = self.processes[0]
        if "goals" in self.reading:
            self.judge = Goals(self.reading["goals"], self.processes, self.response, self.limit)

    def predict(self, cells):
        row = Row(self.reading["columns"], cells)
        objective, panel = self.reading["objective"], self.reading["panel"]
        w = panel["weight"]
        g, s_g = self.judge.read(row)
        n, s_n = self.networks.read(row)
        mean = w * g + (1 - w) * n
        variance = w * s_g**2 + (1 - w) * s_n**2 + w * (1 - w) * (g - n) ** 2
        spread = math.sqrt(variance + objective["noise"])
        expected, half = mean + panel["shift"] * spread, panel["reach"] * spread
        answer = self.forecast(expected, spread, self.response, self.in_units)
        ahead = (expected - to_scale(self.response, objective["bestScore"])) / (half / NORMAL)
        answer["better"] = 0.5 * math.erfc(-ahead / math.sqrt(2))
        answer["gamma"] = math.log1p(s_g**2 / objective["noise"])
        if objective["kind"] == "desirability":
            answer["goals"] = [self.goal(process, g, row) for g, process in enumerate(self.processes)]
            return answer
        for name in ("expected", "lo80", "hi80"):
            answer[name] = self.limit(answer[name], 0)
        if self.is_at_limit():
            answer["better"] = 0.0
        answer["goals"] = [{name: answer[name] for name in ("expected", "lo80", "hi80")}]
        return answer

    def goal(self, process, g, row):
        mean, deviation = process.read(row)
        spread = math.sqrt(deviation**2 + process.noise)
        return self.forecast(mean, spread, process.response, lambda value: self.limit(value, g))

    def forecast(self, expected, spread, response, in_units):
        panel = self.reading["panel"]
        points = (expected, expected - panel["reach"] * spread, expected + panel["rise"] * spread)
        expected, *ends = (in_units(from_scale(response, z)) for z in points)
        return {"expected": expected, "lo80": min(ends), "hi80": max(ends)}

    def in_units(self, score):
        objective = self.reading["objective"]
        if objective["kind"] == "value":
            return objective["sign"] * score
        return min(max(score, 0.0), 1.0)

    def limit(self, value, g):
        for ends in self.reading.get("limits", [])[g : g + 1]:
            if ends["upper"] is not None:
                value = min(value, ends["upper"])
            if ends["lower"] is not None:
                value = max(value, ends["lower"])
        return value

    def is_at_limit(self):
        best = self.in_units(self.reading["objective"]["bestScore"])
        for ends in self.reading.get("limits", [])[:1]:
            if self.reading["objective"]["sign"] == 1:
                return ends["upper"] is not None and best >= ends["upper"]
            return ends["lower"] is not None and best <= ends["lower"]
        return False


def main(run, rows):
    model = Model(run)
    with open(rows, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            print(json.dumps(model.predict(row)))


if __name__ == "__main__":
    main(*sys.argv[1:])
