"""Recover a perturbed hinge by gradient descent on `metric.invariant_loss` (needs PyTorch).

The prediction starts with a wrong axis, origin and range, and written the other way round: the loss does not mind.
"""

from __future__ import annotations

import torch

from metric import Joint, SplitNorm, endpoint_twists, invariant_loss, joint_distance, screw


def recover(steps: int = 300, rate: float = 0.05) -> tuple[float, float]:
    """E of the prediction before and after the descent."""
    truth = Joint("revolute", axis=(0, 0, 1), origin=(0.4, 0.1, 0.0), lower=0.0, upper=1.5)
    axis = torch.tensor([0.3, -0.2, -0.9], dtype=torch.float64, requires_grad=True)
    origin = torch.tensor([0.1, 0.3, 0.2], dtype=torch.float64, requires_grad=True)
    limits = torch.tensor([-0.9, 0.2], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([axis, origin, limits], lr=rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)

    def prediction() -> torch.Tensor:
        unit = axis / torch.linalg.vector_norm(axis)
        return endpoint_twists(screw("revolute", unit, origin), limits)

    def error() -> float:
        unit = axis / torch.linalg.vector_norm(axis)
        return float(joint_distance((screw("revolute", unit, origin).detach(), limits.detach()), truth, SplitNorm()))

    before = error()
    for _ in range(steps):
        optimizer.zero_grad()
        invariant_loss(prediction(), truth, SplitNorm()).backward()
        optimizer.step()
        schedule.step()
    return before, error()


if __name__ == "__main__":
    print("E before and after: {:.4f} {:.2e}".format(*recover()))
