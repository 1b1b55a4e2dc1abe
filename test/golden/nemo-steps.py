"""Golden values for test/numeric/nemoSteps.test.ts and test/models/amortizedCnml.test.ts, by PyTorch's autograd.

    python3 test/golden/nemo-steps.py     writes nemo-steps.json beside this file

Four iterations of NEMO (Alg. 2 of the paper) with K stacked networks, in float64. ABOUT says what is computed.
"""

import json
import pathlib

import torch
from torch.nn.functional import binary_cross_entropy, softplus

ABOUT = (
    "K stacked softplus MLPs d-h-h-1 with the discretised logistic head, float64, made with PyTorch autograd. "
    "Weights are [K][in][out], biases [K][1][out]. o[k]=sigmoid((mu-k/K)/s), k=0..K-1; label of bin b: 1 for k<=b, "
    "else 0; element loss = binary cross entropy averaged over the K outputs. Loss of model k = mean over the B batch "
    "rows + w * loss of its query row with label bin k. Adam beta 0.9/0.999, eps 1e-8, bias-corrected. Targets: "
    "tau*theta+(1-tau)*target after the model update. Designs: Adam ascent on (1/K) sum_k mu_k(x) of the targets "
    "(moments kept)."
)
K, d, h, s, w, tau, model_rate, design_rate = 3, 2, 4, 0.5, 0.25, 0.05, 0.01, 0.1
N, M = 12, 3
# Rows of the data in each minibatch, and for each model which design is its query. Drawn once, kept here.
BATCHES = [[0, 7, 3, 1, 6], [11, 5, 1, 9, 4], [9, 1, 8, 3, 4], [9, 10, 5, 2, 4]]
QUERIES = [[2, 1, 1], [0, 2, 1], [1, 2, 0], [2, 0, 2]]

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
torch.manual_seed(0)
X = torch.randn(N, d)
y = torch.randn(N)
bins = ((y - y.min()) / (y.max() - y.min()) * K).floor().clamp(max=K - 1).long()


def uniform(inputs, *shape):
    """Within +-1 / sqrt(inputs), as PyTorch draws the weights of a linear layer."""
    return ((2 * torch.rand(K, *shape) - 1) / inputs**0.5).requires_grad_()


theta = {
    "W1": uniform(d, d, h),
    "b1": uniform(d, 1, h),
    "W2": uniform(h, h, h),
    "b2": uniform(h, 1, h),
    "W3": uniform(h, h, 1),
    "b3": uniform(h, 1, 1),
}
targets = {name: value.detach().clone() for name, value in theta.items()}
designs = X[y.argsort(descending=True)[:M]].clone().requires_grad_()


def mu(p, x):
    """K x rows. `x` is rows x d, or K x rows x d."""
    hidden = softplus(x @ p["W1"] + p["b1"])
    hidden = softplus(hidden @ p["W2"] + p["b2"])
    return (hidden @ p["W3"] + p["b3"])[..., 0]


def loss(means, labels):
    """Binary cross entropy of the K outputs, averaged over them: one number per mean."""
    k = torch.arange(K)
    o = torch.sigmoid((means[..., None] - k / K) / s)
    wanted = (k <= labels[..., None]).to(o.dtype)
    return binary_cross_entropy(o, wanted.expand_as(o), reduction="none").mean(-1)


def plain(p):
    return {name: value.detach().tolist() for name, value in p.items()}


golden = {
    **{"about": ABOUT, "K": K, "d": d, "h": h, "s": s, "w": w, "tau": tau},
    **{"modelRate": model_rate, "designRate": design_rate},
    **{"X": X.tolist(), "y": y.tolist(), "bins": bins.tolist(), "init": plain(theta), "steps": []},
    "designs0": designs.detach().tolist(),
}
step_models = torch.optim.Adam(theta.values(), lr=model_rate)
step_designs = torch.optim.Adam([designs], lr=design_rate, maximize=True)
for batch, query in zip(BATCHES, QUERIES, strict=True):
    means = mu(theta, X[batch])
    batch_loss = loss(means, bins[batch]).mean(-1)
    query_means = mu(theta, designs.detach()[query][:, None, :])[:, 0]
    query_loss = loss(query_means, torch.arange(K))
    step_models.zero_grad()
    (batch_loss + w * query_loss).sum().backward()
    grad = {name: value.grad.tolist() for name, value in theta.items()}
    step_models.step()
    targets = {name: tau * theta[name].detach() + (1 - tau) * old for name, old in targets.items()}
    step_designs.zero_grad()
    mu(targets, designs).mean(0).sum().backward()
    design_grad = designs.grad.tolist()
    step_designs.step()
    golden["steps"].append(
        {
            **{"batch": batch, "query": query, "mu": means.tolist()},
            **{"batchLoss": batch_loss.tolist(), "queryLoss": query_loss.tolist()},
            **({} if golden["steps"] else {"grad": grad}),
            **{"designGrad": design_grad, "designs": designs.tolist()},
            **{"params": plain(theta), "targets": plain(targets)},
        }
    )
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(golden))
