"""Tools that render tables to learn from and to measure on, and that train the network which reads them."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: matrices are small, and idle threads spin
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # before onnxruntime: as in `companion.vision.network`
