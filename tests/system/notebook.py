# SPDX-License-Identifier: Apache-2.0
"""Runs the code cells of a Jupyter notebook one after the other, without Jupyter.

``PYTHONPATH=mininet MPLBACKEND=Agg python3 tests/system/notebook.py FILE`` runs them and writes what they print, and a PNG of
``figure`` after the cell that draws it, into the notebook.
"""

import base64
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

_DOTS = 72


class Notebook:
    """Those of format 4."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))

    def run(self) -> dict[str, Any]:
        """Runs all cells, keeps what they print as their outputs, and returns their variables."""
        os.environ.setdefault("MPLBACKEND", "Agg")
        variables: dict[str, Any] = {"__name__": "__main__"}
        code = [cell for cell in self.data["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(code, 1):
            printed, before = io.StringIO(), variables.get("figure")
            with contextlib.redirect_stdout(printed):
                exec(compile("".join(cell["source"]), f"{self.path.name}, cell {number}", "exec"), variables)
            cell["execution_count"], cell["outputs"] = number, []
            if printed.getvalue():
                cell["outputs"].append({"output_type": "stream", "name": "stdout",
                                        "text": printed.getvalue().splitlines(keepends=True)})
            if variables.get("figure") is not before:
                cell["outputs"].append({"output_type": "display_data", "metadata": {},
                                        "data": {"image/png": _png(variables["figure"])}})
        return variables


def _png(figure: Any) -> str:
    octets = io.BytesIO()
    figure.savefig(octets, format="png", dpi=_DOTS, bbox_inches="tight", metadata={"Software": None})
    return base64.b64encode(octets.getvalue()).decode("ascii")


if __name__ == "__main__":
    notebook = Notebook(Path(sys.argv[1]))
    notebook.run()
    notebook.path.write_text(json.dumps(notebook.data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
