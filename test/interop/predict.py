"""Predicts rows from the model file of a run, without nemokit and with Python's standard library alone.

    python3 predict.py RUN rows.csv        prints one JSON object per row: expected, lo80, hi80, better, gamma

Reads RUN/model.json and RUN/model.safetensors. docs/model-file.md describes every step; its section numbers are
those of the functions below. Lists of floats are slow: a thousand rows take minutes.
"""

import csv
import json
import math
import os
import struct
import sys

KEPT = 0.6  # share of a class in its softened one-hot
MISS = 0.1  # share of values beyond either end of an 80 % interval
TAIL, POINTS = 20, 128  # of the slope table: s beyond the thresholds, grid points per s


# 1 Files ---------------------------------------------------------------------------------------------------------


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


# 2 Inputs --------------------------------------------------------------------------------------------------------


def inputs_of(columns, cells):
    """What the networks see of one row of texts, a dictionary by column name."""
    inputs = []
    was_empty = False
    for column in columns:
        kind = column["kind"]
        if kind == "missing":
            inputs += one_hot(1 if was_empty else 0, 2)
            continue
        cell = cells[column["name"]].strip()
        was_empty = cell == ""
        if was_empty:
            if column["filler"] is None:
                raise SystemExit("%s is empty" % column["name"])
            cell = column["filler"]
        if kind == "number":
            value = math.log(float(cell)) if column["log"] else float(cell)
            inputs.append((value - column["mean"]) / column["deviation"])
        elif kind == "category":
            inputs += one_hot(column["levels"].index(str(cell)), len(column["levels"]))
        elif kind == "sequence":
            for letter in cell:
                inputs += one_hot(column["letters"].index(letter), len(column["letters"]))
        else:  # molecule
            bits = column["bits"][column["molecules"].index(cell)]
            for bit, mean, deviation in zip(bits, column["mean"], column["deviation"]):
                inputs.append((int(bit) - mean) / deviation)
    return inputs


def one_hot(index, classes):
    rest = (1 - KEPT) / classes
    return [rest + KEPT if c == index else rest for c in range(classes)]


# 3 Networks ------------------------------------------------------------------------------------------------------


def softplus(z):
    return max(z, 0) + math.log1p(math.exp(-abs(z)))


def features_of(tensors, network, inputs):
    """What the last layer of one network sees, and a 1 for its bias."""
    shift = tensors.get("input.shift")
    h = [x + s for x, s in zip(inputs, shift[1])] if shift else inputs
    hidden = sum(name.endswith(".weight") for name in tensors) - 1
    for layer in range(hidden):
        (_, rows, columns), weight = tensors["layer%d.weight" % layer]
        bias = tensors["layer%d.bias" % layer][1]
        at = network * rows * columns
        h = [
            softplus(bias[network * columns + j] + sum(h[i] * weight[at + i * columns + j] for i in range(rows)))
            for j in range(columns)
        ]
    return h + [1.0]


def sigmoid(x):
    if x >= 0:
        return 1 / (1 + math.exp(-x))
    e = math.exp(x)
    return e / (1 + e)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


# 4 Last layer ----------------------------------------------------------------------------------------------------


class SlopeTable:
    """T(mu) = sum over the supervised thresholds of o_j / (K s), linear between grid points."""

    def __init__(self, K, s, low, high):
        width = 1 + 2 * TAIL * s
        cells = math.ceil(min(width / s * POINTS, 2**18))
        self.start, self.per_unit, self.last = -TAIL * s, cells / width, cells
        self.values = []
        for i in range(cells + 1):
            mu = self.start + i * width / cells
            slope = sum(sigmoid((mu - j / K) / s) for j in range(K) if j <= low or j > high)
            self.values.append(slope / (K * s))
        self.values[0] = 0.0
        self.values[cells] = (K - (high - low)) / (K * s)

    def at(self, mu):
        """T and its slope; beyond the ends the slope is 0."""
        x = (mu - self.start) * self.per_unit
        if not x > 0:
            return self.values[0], 0.0
        if x >= self.last:
            return self.values[self.last], 0.0
        cell = int(x)
        rise = self.values[cell + 1] - self.values[cell]
        return self.values[cell] + (x - cell) * rise, rise * self.per_unit


def table_of(tables, K, s, low, high):
    if (low, high) not in tables:
        tables[low, high] = SlopeTable(K, s, low, high)
    return tables[low, high]


class Triangle:
    """L of a positive definite L L', packed row by row."""

    def __init__(self, packed):
        p = int((math.sqrt(8 * len(packed) + 1) - 1) / 2)
        self.rows = [packed[i * (i + 1) // 2 : (i + 1) * (i + 2) // 2] for i in range(p)]

    def solve(self, b):
        """x of L L' x = b."""
        x = list(b)
        for i, row in enumerate(self.rows):
            x[i] = (x[i] - dot(row[:i], x)) / row[i]
        for i in reversed(range(len(x))):
            x[i] /= self.rows[i][i]
            for k in range(i):
                x[k] -= self.rows[i][k] * x[i]
        return x

    def transposed_times(self, v):
        """L' v, whose products are those of v with L L'."""
        result = [0.0] * len(v)
        for i, row in enumerate(self.rows):
            for k, value in enumerate(row):
                result[k] += value * v[i]
        return result


class LastLayer:
    def __init__(self, score, tensors, fold, tables):
        K, s = score["bins"], score["headScale"]
        get = lambda name: tensors["readout%d.%s" % (fold, name)]
        self.K, self.s, self.ridge = K, s, score["ridge"]
        self.theta = get("theta")[1]
        self.factor = Triangle(get("factor")[1])
        self.middle = Triangle(get("middleFactor")[1])
        self.weights = get("weights")[1]
        (m, h), features = get("features")
        self.phi = [features[i * h : (i + 1) * h] + [1.0] for i in range(m)]
        labels = get("labels")[1]
        self.mu = [dot(row, self.theta) for row in self.phi]
        self.tables = []
        for i in range(m):
            low, high = labels[2 * i], labels[2 * i + 1]
            # a known label supervises every threshold, whichever it is
            self.tables.append(table_of(tables, K, s, *((0, 0) if low == high else (low, high))))
        self.table = table_of(tables, K, s, 0, 0)
        self.slopes = [table.at(mu)[0] for table, mu in zip(self.tables, self.mu)]
        self.curvatures = [
            curvature(K, s, mu, labels[2 * i], labels[2 * i + 1]) for i, mu in enumerate(self.mu)
        ]
        # every row of the fit is here: nothing to make up for
        self.is_whole = all(w == 1 for w in self.weights)

    def outputs(self, query):
        """The output at the query of the fit to the data and (query, k), for each bin k (Eq. 2)."""
        directions = [self.factor.solve(query), self.middle.solve(query)]
        rest = []
        subspace = self.subspace(query, directions)
        for label in (0, self.K - 1):
            loss = AugmentedLoss(self, subspace)
            loss.settle(label)
            slope = loss.slope_at_query()
            left = [slope * x + self.ridge * dot(loss.t, [v[j] for v in directions]) for j, x in enumerate(query)]
            for row_slope, phi in zip(loss.row_slopes(), self.phi):
                for j, value in enumerate(phi):
                    left[j] += row_slope * value
            rest.append(left)
        directions += [self.middle.solve(left) for left in rest]
        loss = AugmentedLoss(self, self.subspace(query, directions))
        return loss.follow()

    def subspace(self, query, directions):
        moves = [[dot(phi, v) for v in directions] for phi in self.phi]
        ridge = [[self.ridge * dot(v, w) for w in directions] for v in directions]
        if not self.is_whole:
            lower = [self.factor.transposed_times(v) for v in directions]
            target = [[dot(v, w) - ridge[d][e] for e, w in enumerate(lower)] for d, v in enumerate(lower)]
            calibrate(moves, self.weights, self.curvatures, target)
        return moves, [dot(query, v) for v in directions], ridge, dot(query, self.theta)


def curvature(K, s, mu, low, high):
    """loss'' of a label in low..high."""
    o = [sigmoid((mu - j / K) / s) for j in range(K) if j <= low or j > high]
    return sum(p * (1 - p) for p in o) / (K * s * s)


def factor_small(h, least):
    n = len(h)
    l = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = h[i][j] - sum(l[i][k] * l[j][k] for k in range(j))
            if i != j:
                l[i][j] = rest / l[j][j] if l[j][j] > 0 else 0.0
            else:
                l[i][i] = math.sqrt(rest) if rest > least * h[i][i] else 0.0
    return l


def solve_small(h, b):
    """x of H x = b; 0 for a direction that depends on those before it."""
    n = len(b)
    l = factor_small(h, 1e-12)
    x = [0.0] * n
    for i in range(n):
        rest = b[i] - sum(l[i][k] * x[k] for k in range(i))
        x[i] = rest / l[i][i] if l[i][i] > 0 else 0.0
    for i in reversed(range(n)):
        rest = x[i] - sum(l[k][i] * x[k] for k in range(i + 1, n))
        x[i] = rest / l[i][i] if l[i][i] > 0 else 0.0
    return x


def calibrate(moves, weights, curvatures, target):
    """Mixes the moves of the chosen rows so that their Hessian at t = 0 is that of all rows."""
    n = len(target)
    theirs = [[0.0] * n for _ in range(n)]
    for move, weight, c in zip(moves, weights, curvatures):
        for d in range(n):
            for e in range(d + 1):
                theirs[d][e] += weight * c * move[d] * move[e]
    l, m = factor_small(theirs, 1e-6), factor_small(target, 1e-6)
    for move in moves:
        z = [0.0] * n
        for d in range(n):
            rest = move[d] - sum(l[d][e] * z[e] for e in range(d))
            mixed = sum(m[d][e] * z[e] for e in range(d))
            is_told = l[d][d] > 0 and m[d][d] > 0
            z[d] = rest / l[d][d] if is_told else 0.0
            move[d] = mixed + (m[d][d] * z[d] if is_told else rest)


class AugmentedLoss:
    """The loss of the data and one more row (query, label) in t, theta + sum_d t_d v_d, and its minimum."""

    def __init__(self, layer, subspace):
        self.layer = layer
        self.moves, self.query, self.ridge, self.mu0 = subspace
        self.reset()

    def reset(self):
        self.t = [0.0] * len(self.query)
        self.pull = 0.0
        self.evaluate()

    def evaluate(self):
        layer, n = self.layer, len(self.query)
        g = [0.0] * n
        h = [[0.0] * n for _ in range(n)]
        for i, a in enumerate(self.moves):
            value, rise = layer.tables[i].at(layer.mu[i] + dot(self.t, a))
            slope = layer.weights[i] * (value - layer.slopes[i])
            c = layer.weights[i] * rise
            for d in range(n):
                g[d] += slope * a[d]
                if c:
                    for e in range(d + 1):
                        h[d][e] += c * a[d] * a[e]
        self.mu = self.mu0 + dot(self.query, self.t)
        value, rise = layer.table.at(self.mu)
        for d in range(n):
            g[d] += (value - self.pull) * self.query[d] + dot(self.ridge[d], self.t)
            for e in range(d + 1):
                h[d][e] += rise * self.query[d] * self.query[e] + self.ridge[d][e]
        self.gradient, self.hessian = g, h

    def settle(self, label):
        """Newton's method from where t is; returns the output at the query."""
        layer = self.layer
        pull = (label + 1) / (layer.K * layer.s)
        self.gradient = [g + (self.pull - pull) * c for g, c in zip(self.gradient, self.query)]
        self.pull = pull
        for _ in range(50):
            step = solve_small(self.hessian, self.gradient)
            move = dot(self.query, step)
            if abs(move) > 2:  # a longer step ends on a plateau far away
                step = [v * 2 / abs(move) for v in step]
                move = dot(self.query, step)
            self.t = [t - v for t, v in zip(self.t, step)]
            if abs(move) <= 1e-3 * layer.s:
                self.gradient = [0.0] * len(step)
                self.mu -= move
                break
            behind = dot(self.gradient, step)
            self.evaluate()
            self.shorten(step, behind)
        return self.mu

    def shorten(self, step, behind):
        """Goes back on the step while the slope there is above half the slope behind."""
        ahead = -dot(self.gradient, step)
        if not ahead > 0.5 * behind:
            return
        near, far, factor = 0.0, 1.0, 1.0
        for _ in range(40):
            if abs(ahead) <= 0.5 * behind:
                break
            if ahead > 0:
                far = factor
            else:
                near = factor
            after = (near + far) / 2
            self.t = [t + (factor - after) * v for t, v in zip(self.t, step)]
            factor = after
            self.evaluate()
            ahead = -dot(self.gradient, step)

    def slope_at_query(self):
        return self.layer.table.at(self.mu)[0] - self.pull

    def row_slopes(self):
        layer = self.layer
        return [
            layer.weights[i] * (layer.tables[i].at(layer.mu[i] + dot(self.t, a))[0] - layer.slopes[i])
            for i, a in enumerate(self.moves)
        ]

    def follow(self):
        """The output for every label: solved, or a monotone cubic between solved labels."""
        layer, K = self.layer, self.layer.K
        mu, slopes = [0.0] * K, [0.0] * K
        agreed = layer.table.at(self.mu0)[0] * K * layer.s - 1  # the label of t = 0
        labels = solved_labels(K)

        def solve(label):
            mu[label] = self.settle(label)
            slopes[label] = dot(self.query, solve_small(self.hessian, self.query)) / (K * layer.s)

        for label in labels:
            if label >= agreed:
                solve(label)
        self.reset()
        for label in reversed(labels):
            if label < agreed:
                solve(label)
        for start, end in zip(labels, labels[1:]):
            rise = (mu[end] - mu[start]) / (end - start)
            left, right = min(slopes[start], 3 * rise), min(slopes[end], 3 * rise)
            for k in range(start + 1, end):
                u = (k - start) / (end - start)
                bend = (1 - u) * (left - rise) - u * (right - rise)
                mu[k] = mu[start] + (end - start) * (u * rise + u * (1 - u) * bend)
        return mu


def solved_labels(K):
    if K <= 12:
        return list(range(K))
    labels, gap = set(), 0
    while gap <= (K - 1) / 2:
        labels |= {gap, K - 1 - gap}
        gap += max(1, math.ceil(gap / 2))
    return sorted(labels)


def bin_probability(K, s, mu, k):
    lower = (mu - (k + 1) / K) / s
    upper = (mu - k / K) / s
    if k == 0:
        return sigmoid(-lower)
    if k == K - 1:
        return sigmoid(upper)
    return -sigmoid(upper) * sigmoid(-lower) * math.expm1(-1 / (K * s))


# 5 Scores --------------------------------------------------------------------------------------------------------


def score_of(score, k):
    """The score in the middle of bin k, which may be a fraction."""
    return score["low"] + (k + 0.5) / score["bins"] * (score["high"] - score["low"])


def quantile_of(probabilities, p):
    """Where the distribution function reaches p, in bins."""
    total = sum(probabilities)
    last = max(k for k, value in enumerate(probabilities) if value > 0)
    below = 0.0
    for k in range(last):
        here = probabilities[k]
        if here > 0 and below + here >= p * total:
            return k + (p * total - below) / here
        below += here
    return last + min(1, (p * total - below) / probabilities[last])


class CrossFittedCnml:
    """Scores of one model of kind "crossFittedCnml", version 1."""

    def __init__(self, score, tensors):
        self.score, self.tensors = score, tensors
        tables = {}
        self.layers = [LastLayer(score, tensors, fold, tables) for fold in range(score["folds"])]

    def read(self, inputs):
        score, K, s = self.score, self.score["bins"], self.score["headScale"]
        folds = score["folds"]
        mean, gamma, probabilities = 0.0, 0.0, [0.0] * K
        for fold, layer in enumerate(self.layers):
            phi = features_of(self.tensors, fold, inputs)
            middle = score_of(score, (dot(phi, layer.theta) + 0.5 / K) * K - 1)
            mean += min(max(middle, score["low"]), score["high"]) / folds
            likelihoods = [bin_probability(K, s, mu, k) for k, mu in enumerate(layer.outputs(phi))]
            total = sum(likelihoods)
            gamma += max(math.log(total), 0) / folds
            for k in range(K):
                probabilities[k] += likelihoods[k] / total / folds
        low, high = (score_of(score, quantile_of(probabilities, p) - 0.5) for p in (MISS, 1 - MISS))
        width = high - low
        return {
            "mean": mean,
            "low": min(mean, low - score["calibration"]["below"] * width),
            "high": max(mean, high + score["calibration"]["above"] * width),
            "gamma": gamma,
            "probabilities": probabilities,
        }


KINDS = {("crossFittedCnml", 1): CrossFittedCnml}


class Model:
    def __init__(self, run):
        with open(os.path.join(run, "model.json"), encoding="utf-8") as file:
            description = json.load(file)
        if "reading" not in description:
            raise SystemExit("%s was made by nemokit 0.1, which saved less; run it again" % run)
        self.reading = description["reading"]
        if self.reading["readingVersion"] != 1:
            raise SystemExit("model.json has readingVersion %s" % self.reading["readingVersion"])
        tensors = read_tensors(os.path.join(run, "model.safetensors"))
        self.scores = []
        for i, score in enumerate(self.reading["scores"]):
            prefix = "score%d." % i
            own = {name[len(prefix) :]: t for name, t in tensors.items() if name.startswith(prefix)}
            self.scores.append(KINDS[score["kind"], score["version"]](score, own))

    def predict(self, cells):
        inputs = inputs_of(self.reading["columns"], cells)
        objective, *goals = [score.read(inputs) for score in self.scores]
        best = self.reading["objective"]["bestScore"]
        ends = [self.in_units(min(objective["low"], best)), self.in_units(objective["high"])]
        answer = {
            "expected": self.in_units(objective["mean"]),
            "lo80": min(ends),
            "hi80": max(ends),
            "better": chance_of_better(self.reading["scores"][0], objective["probabilities"], best),
            "gamma": objective["gamma"],
        }
        if self.reading["objective"]["kind"] == "value":
            self.limit(answer, 0)
            if self.in_units(best) == self.ceiling():
                answer["better"] = 0.0
        answer["goals"] = [
            self.limit({"expected": goal["mean"], "lo80": goal["low"], "hi80": goal["high"]}, g)
            for g, goal in enumerate(goals)
        ] or [{name: answer[name] for name in ("expected", "lo80", "hi80")}]
        return answer

    def limit(self, answer, g):
        ends = self.reading.get("limits", [])[g : g + 1]
        for name in ("expected", "lo80", "hi80"):
            for end in ends:
                if end["lower"] is not None:
                    answer[name] = max(answer[name], end["lower"])
                if end["upper"] is not None:
                    answer[name] = min(answer[name], end["upper"])
        return answer

    def ceiling(self):
        ends = self.reading.get("limits", [{"lower": None, "upper": None}])[0]
        return ends["upper"] if self.reading["objective"]["sign"] == 1 else ends["lower"]

    def in_units(self, score):
        objective = self.reading["objective"]
        if objective["kind"] == "value":
            return objective["sign"] * score
        return min(max(score, 0.0), 1.0)


def chance_of_better(score, probabilities, best):
    chance = 0.0
    for k, p in enumerate(probabilities):
        lower, upper = score_of(score, k - 0.5), score_of(score, k + 0.5)
        chance += p * min(max((upper - best) / (upper - lower), 0), 1)
    return min(max(chance, 0.0), 1.0)


def main(run, rows):
    model = Model(run)
    with open(rows, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            print(json.dumps(model.predict(row)))


if __name__ == "__main__":
    main(*sys.argv[1:])
