"""Golden values for test/numeric/special.test.ts and portable.test.ts, by mpmath at 50 digits.

    python3 test/golden/special.py                  writes special.json beside this file
    python3 test/golden/special.py --coefficients   prints the table erfcx uses

Arguments are taken as the exact float64 in the JSON. Results are the nearest float64.
Infinite results are left out; the test states those itself.
"""

import json
import pathlib
import sys

import mpmath as mp

mp.mp.dps = 50


def erfcx(x):
    """exp(x^2) erfc(x). Digits are added where exp is huge; the asymptotic series takes over at 60."""
    if x < 60:
        with mp.workdps(50 + int(max(0, x * x))):
            return mp.exp(x * x) * mp.erfc(x)
    terms = [(-1) ** n * mp.fac2(2 * n - 1) / (2 * x * x) ** n for n in range(15)]
    return mp.fsum(terms) / (mp.sqrt(mp.pi) * x)


def normal_log_cdf(x):
    if x > 0:
        return mp.log1p(-mp.erfc(x / mp.sqrt(2)) / 2)
    return -x * x / 2 + mp.log(erfcx(-x / mp.sqrt(2)) / 2)


def normal_quantile(p):
    """Newton on log Phi from the left of the root: the function is concave, so the steps never overshoot."""
    if p == 0.5:
        return mp.mpf(0)
    q = min(p, 1 - p)
    x = -mp.sqrt(-2 * mp.log(q)) - 1
    for _ in range(60):
        slope = mp.sqrt(2 / mp.pi) / erfcx(-x / mp.sqrt(2))
        step = (mp.log(q) - normal_log_cdf(x)) / slope
        x += step
        if abs(step) < mp.mpf(10) ** -45 * (1 + abs(x)):
            break
    return x if p < 0.5 else -x


def erfcx_coefficients(count=25, k=4, nodes=80):
    """Chebyshev coefficients of (1 + 2x) erfcx(x) in t = (x - k)/(x + k), the first halved."""
    angles = [mp.pi * (j + mp.mpf(1) / 2) / nodes for j in range(nodes)]
    values = []
    for angle in angles:
        x = k * (1 + mp.cos(angle)) / (1 - mp.cos(angle))
        values.append((1 + 2 * x) * erfcx(x))
    table = [
        2 * mp.fsum(v * mp.cos(m * a) for v, a in zip(values, angles)) / nodes for m in range(count)
    ]
    table[0] /= 2
    return [float(c) for c in table]


LINE = [1e-300, 1e-12, 1e-5, 0.1, 0.3, 0.5, 0.501, 0.7, 1.0, 1.001, 1.5, 2.3, 3.0, 4.75, 6.1, 9.0, 15.2, 26.0]
FAR = [40.0, 709.5, 1e4, 1e8]
BOTH = sorted([-x for x in LINE] + [0.0] + LINE)
BOTH_FAR = sorted([-x for x in FAR] + BOTH + FAR)

FUNCTIONS = {
    "softplus": (lambda x: mp.log1p(mp.exp(x)), [x for x in BOTH_FAR if x > -709]),
    "sigmoid": (lambda x: 1 / (1 + mp.exp(-x)), [x for x in BOTH_FAR if x > -709]),
    "logSigmoid": (lambda x: -mp.log1p(mp.exp(-x)), [x for x in BOTH_FAR if x < 709]),
    "log1mexp": (lambda x: mp.log1p(-mp.exp(-x)) if x > 1 else mp.log(-mp.expm1(-x)), LINE + [0.693, 0.694, 40.0, 700.0]),
    "erf": (mp.erf, BOTH + [40.0, 1e4]),
    "erfc": (mp.erfc, BOTH),
    "erfcx": (erfcx, BOTH + FAR + [2e6, 2e9]),
    "normalPdf": (mp.npdf, BOTH + [-37.5, 37.5]),
    "normalLogPdf": (lambda x: -x * x / 2 - mp.log(2 * mp.pi) / 2, BOTH_FAR + [1e150]),
    "normalCdf": (lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, BOTH + [-37.5, 37.5]),
    "normalLogCdf": (normal_log_cdf, [x for x in BOTH_FAR if x < 37] + [-1e150, 37.5]),
    "normalQuantile": (
        normal_quantile,
        [5e-324, 1e-300, 1e-100, 1e-16, 1e-5, 0.01, 0.1, 0.2499, 0.25, 0.3, 0.49999, 0.5, 0.5000001, 0.6, 0.75, 0.7501, 0.9, 0.999, 1 - 2.0**-53],
    ),
    "portableLog": (mp.log, [5e-324, 2.5e-310, 1e-300, 1e-5, 0.5, 0.7071, 0.7072, 0.99, 1 - 2.0**-53, 1.0, 1 + 2.0**-52, 1.01, 1.4142, 1.4143, 2.0, 3.0, 1e5, 1.7e308]),
    "portableExp": (mp.exp, [-744.4, -708.5, -300.0] + BOTH + [0.3465, 0.3466, 0.6931, 0.6932, 88.7, 300.0, 709.5, 709.78]),
    "portableLog1p": (
        mp.log1p,
        [-1 + 2.0**-53, -0.9999, -0.5, -0.2929, -0.2928, -0.29, -0.1, -1e-5, -1e-17, -5e-324, 0.0, 5e-324, 2.5e-310]
        + LINE + [0.41, 0.4142, 0.4143, 9007199254740991.0, 1e16, 1e300, 1.7e308],
    ),
    "portableExpm1": (
        mp.expm1,
        [-745.0, -40.0, -37.6, -37.4] + BOTH + [-0.3466, -0.3465, -0.341, -0.34, 0.34, 0.341, 0.3465, 0.3466, 0.6931, 1.0397, 1.0398, 38.9, 39.1, 709.78],
    ),
    "portableTanh": (mp.tanh, [-5e-324, 5e-324] + BOTH + [0.4999, 18.9, 19.1, 22.0]),
    "portableSinPi": (mp.sinpi, [5e-324, 1e-300, 1e-5, 0.1, 0.25, 0.4999, 0.5, 0.501, 0.75, 0.999, 1.25, 1.5, -0.3, -1.7, 6.5, 100.3, 1e6 + 0.125]),
}


# [x, n] of x^n: rates of decay, other ends of the range, results that are subnormal.
POWERS = [
    [0.9, 1], [0.9, 2], [0.9, 3], [0.9, 10], [0.9, 1000], [0.99, 77], [0.999, 1], [0.999, 2000], [0.999, 123457],
    [0.5, 1074], [10.0, 22], [10.0, 23], [10.0, 308], [-3.0, 5], [-3.0, 6], [1.1, 7446], [1 + 2.0**-52, 2**40],
    [1 - 2.0**-53, 2**40], [1e-300, 1], [3e-310, 1], [1e-160, 2], [0.3, 615], [1e77, 4], [7.0, 364],
]  # fmt: skip


def main():
    if "--coefficients" in sys.argv[1:]:
        for c in erfcx_coefficients():
            print(repr(c))
        return
    golden = {"generator": "test/golden/special.py", "mpmath": mp.__version__, "digits": 50, "functions": {}}
    for name, (function, points) in FUNCTIONS.items():
        y = [float(function(mp.mpf(x))) for x in points]
        golden["functions"][name] = {"x": points, "y": y}
    golden["powers"] = [[x, n, float(mp.power(mp.mpf(x), n))] for x, n in POWERS]
    # One case per line keeps the file small and its diffs readable.
    rows = [f'    {json.dumps(k)}: {json.dumps(v, separators=(",", ":"), allow_nan=False)}' for k, v in golden.pop("functions").items()]
    powers = ",\n".join(f"    {json.dumps(row)}" for row in golden.pop("powers"))
    head = json.dumps(golden, indent=2)[:-2]
    text = head + ',\n  "functions": {\n' + ",\n".join(rows) + '\n  },\n  "powers": [\n' + powers + "\n  ]\n}\n"
    json.loads(text)
    pathlib.Path(__file__).with_name("special.json").write_text(text)


main()
