"""Write networks as ONNX files that calculate with bytes (two fifths of the time of floats).

In: what PyTorch calculates with, and windows of which the ranges of the bytes are taken. Out: the files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn

from training.model import SHARE

OPSET = 17

FINE = ("/backbone/maps", "/network/maps", "/Mul", "/Add", "/Sigmoid")
"""So begin the names of nodes that go on calculating with floats: peaks in maps must not be rounded to one height, nor
the shares that are made of the bytes that come in (`_begin_with_bytes`)."""


Axes = Mapping[int, str]
WINDOWS: Axes = {0: "windows"}


class Input(NamedTuple):
    """An example of what comes in, and which of its axes may be longer or shorter."""

    example: Tensor
    axes: Axes = WINDOWS


def write(part: nn.Module, inputs: Mapping[str, Input], outputs: Mapping[str, Axes], file: Path) -> None:
    """Write what a part of a network calculates. `outputs`: which of their axes may be longer or shorter, and their
    names."""
    torch.onnx.export(
        part.eval(), tuple(i.example for i in inputs.values()), str(file),
        input_names=list(inputs), output_names=list(outputs), opset_version=OPSET, dynamo=False,
        dynamic_axes={**{name: i.axes for name, i in inputs.items()}, **outputs},
    )  # fmt: skip


class _Samples(CalibrationDataReader):
    """Stacks of windows, of which the ranges of all values in the network are taken."""

    def __init__(self, stacks: Sequence[NDArray[np.uint8]]) -> None:
        self._left = list(stacks)

    def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
        return {"in": self._left.pop().transpose(0, 3, 1, 2)} if self._left else None


def quantise(file: Path, samples: Sequence[NDArray[np.uint8]]) -> None:
    """Make the network in that file calculate with bytes, weights of each channel by a scale of its own."""
    plain = file.with_suffix(".float.onnx")
    quant_pre_process(str(file), str(plain), skip_symbolic_shape=True)  # which knows no rows and columns at will
    fine = [node.name for node in onnx.load(str(plain)).graph.node if node.name.startswith(FINE)]
    quantize_static(
        str(plain), str(file), _Samples(samples), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, nodes_to_exclude=fine,
    )  # fmt: skip
    plain.unlink()
    quantised = onnx.load(str(file))
    _begin_with_bytes(quantised.graph)
    onnx.checker.check_model(quantised)
    onnx.save(quantised, str(file))


def _begin_with_bytes(graph: onnx.GraphProto) -> None:
    """Leave out what makes shares of the bytes that come in, and of the shares the same bytes again.

    Raises ValueError if they were not the same.
    """
    chain: list[onnx.NodeProto] = []
    name = "in"
    while not chain or chain[-1].op_type != "QuantizeLinear":
        (after,) = (node for node in graph.node if name in node.input)
        chain.append(after)
        name = after.output[0]
    constants = {c.name: onnx.numpy_helper.to_array(c) for c in graph.initializer}
    scale, zero = (constants[n] for n in chain[-1].input[1:])
    if [scale, zero] != [np.float32(SHARE), 0]:
        raise ValueError(f"The sampled windows do not fill their bytes (scale {scale}, zero {zero}); sample others.")
    for node in graph.node:
        for i, each in enumerate(node.input):
            if each == name:
                node.input[i] = "in"
    for node in chain:
        graph.node.remove(node)
    used = {each for node in graph.node for each in node.input}
    for constant in [c for c in graph.initializer if c.name not in used]:
        graph.initializer.remove(constant)
