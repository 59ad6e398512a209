"""A picture of a board whose lines have two edges of another colour: now one of them is the brighter, now the other."""

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.print import BoardPrint

ABOVE = Camera((1700, 1500), (3000.0, 3000.0), (849.5, 749.5), (0.0,) * 5, (0.0, 0.0, 0.0), (0.0, 0.0, 1000.0))


def double_lined_board():
    """As `ABOVE` sees it; the edges of a line are 1.6 mm apart."""
    image, chosen = np.full((1500, 1700, 3), (90, 60, 40), np.uint8), np.random.default_rng(1)
    for middle, direction in zip(*BoardPrint().hex_edges, strict=True):
        across = np.array([-direction[1], direction[0]])
        for aside, light in zip((-0.8, 0.8), chosen.permutation([130, 150]), strict=True):
            ends = middle + across * aside + np.outer([-10.0, 10.0], direction)
            pixels = np.round(ABOVE.project(np.column_stack([ends, np.zeros(2)])) * 16).astype(int)
            cv2.line(image, *pixels.tolist(), (int(light),) * 3, 1, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(image, (0, 0), 0.7)
