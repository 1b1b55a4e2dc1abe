"""One NEMO iteration of one shape in PyTorch, speaking the JSON lines of perf/nemoStep.mjs.

The step is written out by hand (no autograd), all models in one batched product, in-place Adam: the quickest of the
variants tried. Usage: torch_step.py SHAPE_JSON THREADS
"""
import time

started = time.perf_counter()
import json
import resource
import sys

import torch

shape = json.loads(sys.argv[1])
torch.set_num_threads(int(sys.argv[2]))
d, h, K = shape["d"], shape["h"], shape["K"]
N, B, M, s, w, tau = 1024, 128, 128, 1.0 / shape["K"], 0.1, 0.05
torch.manual_seed(0)


def uniform(fan_in, *size):
    bound = fan_in ** -0.5
    return torch.empty(*size).uniform_(-bound, bound)


params = [uniform(d, K, d, h), uniform(d, K, 1, h), uniform(h, K, h, h), uniform(h, K, 1, h), uniform(h, K, h, 1), uniform(h, K, 1, 1)]
targets = [p.clone() for p in params]
first = [torch.zeros_like(p) for p in params]
second = [torch.zeros_like(p) for p in params]
pool = torch.empty(N, d).uniform_(-1.7, 1.7)
bins = torch.randint(0, K, (N,))
designs = pool[:M].clone()
design_first, design_second = torch.zeros_like(designs), torch.zeros_like(designs)
thresholds = torch.arange(K) / K
query_bins = torch.arange(K).view(K, 1)
weights = torch.cat([torch.full((B,), 1.0 / B), torch.tensor([w])]).view(1, B + 1, 1)
ones = torch.full((K, M, 1), 1.0 / K)
softplus = torch.nn.functional.softplus
t = 0


def forward(p, x):
    z1 = torch.baddbmm(p[1], x, p[0])
    h1 = softplus(z1)
    z2 = torch.baddbmm(p[3], h1, p[2])
    h2 = softplus(z2)
    return z1, h1, z2, h2, torch.baddbmm(p[5], h2, p[4])


def adam(ps, gs, ms, vs, rate, sign):
    torch._foreach_mul_(ms, 0.9)
    torch._foreach_add_(ms, gs, alpha=0.1)
    torch._foreach_mul_(vs, 0.999)
    torch._foreach_addcmul_(vs, gs, gs, 0.001)
    roots = torch._foreach_sqrt(vs)
    torch._foreach_div_(roots, (1 - 0.999 ** t) ** 0.5)
    torch._foreach_add_(roots, 1e-8)
    torch._foreach_addcdiv_(ps, ms, roots, sign * rate / (1 - 0.9 ** t))


@torch.no_grad()
def iteration():
    global t
    t += 1
    rows = torch.randint(0, N, (K, B))
    query = designs[torch.randint(0, M, (K,))].unsqueeze(1)
    x = torch.cat([pool[rows], query], 1)
    labels = torch.cat([bins[rows], query_bins], 1).unsqueeze(2)
    z1, h1, z2, h2, mu = forward(params, x)
    o = torch.sigmoid((mu - thresholds) / s)
    dmu = (o - (torch.arange(K) <= labels).float()).sum(2, keepdim=True) * (weights / (K * s))
    g5, g6 = torch.bmm(h2.transpose(1, 2), dmu), dmu.sum(1, keepdim=True)
    dz2 = torch.bmm(dmu, params[4].transpose(1, 2)).mul_(torch.sigmoid_(z2))
    g3, g4 = torch.bmm(h1.transpose(1, 2), dz2), dz2.sum(1, keepdim=True)
    dz1 = torch.bmm(dz2, params[2].transpose(1, 2)).mul_(torch.sigmoid_(z1))
    g1, g2 = torch.bmm(x.transpose(1, 2), dz1), dz1.sum(1, keepdim=True)
    adam(params, [g1, g2, g3, g4, g5, g6], first, second, 3e-4, -1)
    torch._foreach_mul_(targets, 1 - tau)
    torch._foreach_add_(targets, params, alpha=tau)
    z1, h1, z2, h2, mu = forward(targets, designs.expand(K, M, d))
    dz2 = torch.bmm(ones, targets[4].transpose(1, 2)).mul_(torch.sigmoid_(z2))
    dz1 = torch.bmm(dz2, targets[2].transpose(1, 2)).mul_(torch.sigmoid_(z1))
    dx = torch.bmm(dz1, targets[0].transpose(1, 2)).sum(0)
    adam([designs], [dx], [design_first], [design_second], 0.02, 1)


ready = time.perf_counter() - started
iteration()
print(json.dumps({"readySeconds": ready, "firstStepSeconds": time.perf_counter() - started, "kernel": "torch " + torch.__version__, "threads": torch.get_num_threads()}), flush=True)
for line in sys.stdin:
    n = json.loads(line)["iterations"]
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(n):
        iteration()
    print(json.dumps({
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }), flush=True)
