"""A small Levenberg-Marquardt solver with a numerical Jacobian, for a handful of camera parameters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.camera import Floats


def minimise(residuals: Callable[[Floats], Floats], start: Floats, steps: Floats, rounds: int = 20) -> Floats:
    """The parameters that make the sum of squared residuals least.

    `steps` are the differences used for the derivatives, of the size of a small change of each parameter.
    """
    x = np.asarray(start, float)
    damping = 1e-3
    r = residuals(x)
    cost = float(r @ r)
    for _ in range(rounds):
        jacobian = np.stack([(residuals(x + d) - r) / s for d, s in zip(np.diag(steps), steps, strict=True)], axis=1)
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ r
        for _ in range(8):
            move = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient)
            trial = residuals(x + move)
            trial_cost = float(trial @ trial)
            if trial_cost < cost:
                break
            damping *= 10
        else:
            return x
        done = cost - trial_cost < 1e-7 * cost
        x, r, cost, damping = x + move, trial, trial_cost, damping / 10
        if done:
            return x
    return x
