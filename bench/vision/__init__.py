"""How well pictures are read, how sure that is, and how long it takes: `./deploy/bench vision [options]`.

```
sets        sessions of pictures with the truth beside them, and the conditions each was taken under
measure     a process a session: calibrate, recognise all its frames, time every step
scoring     the set's own score.py over any group of frames, with intervals
kinds       precision and recall a kind of piece; what was taken for what
reliability whether what is claimed with 90 % is right in 90 %
tables, plot, report   the figures as text, as a picture, as `docs/recognition-report.md`
```
"""

from bench.vision.command import main

__all__ = ["main"]
