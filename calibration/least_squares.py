"""A small Levenberg-Marquardt solver, for a handful of camera parameters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.arrays import Floats

Evaluate = Callable[[Floats], tuple[Floats, Floats]]
"""Parameters (n) to residuals (m) and their Jacobian (m x n)."""


def minimise(evaluate: Evaluate, start: Floats, rounds: int = 20) -> Floats:
    """The parameters that make the sum of squared residuals least, from `start` downhill."""
    x: Floats = np.asarray(start, float)
    damping = 1e-3
    residuals, jacobian = evaluate(x)
    cost = float(residuals @ residuals)
    for _ in range(rounds):
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ residuals
        for _ in range(8):
            move = np.asarray(np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient), float)
            trial, trial_jacobian = evaluate(x + move)
            trial_cost = float(trial @ trial)
            if trial_cost < cost:
                break
            damping *= 10
        else:
            return x
        done = cost - trial_cost < 1e-7 * cost
        x, residuals, jacobian, cost, damping = x + move, trial, trial_jacobian, trial_cost, damping / 10
        if done:
            return x
    return x
