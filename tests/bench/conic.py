# SPDX-License-Identifier: Apache-2.0
"""Proportional fairness as a conic program for Clarabel, an interior-point solver: the peer of ``./lab bench proportional-1000``.

The benchmark starts this program and writes lines to it. A line of JSON is a problem: ``capacities`` of arcs in Mbit/s, and
``connections``, each a list of subflows, each a list of arcs. ``solve N`` solves the N-th anew and answers an upper bound of
Σ log(rate). ``rates`` answers the rates of all subflows of the last solution. Every line has one line for an answer.
"""

import json
import sys

import clarabel
import numpy as np
from scipy import sparse

ACCURACY = 1e-4
"""Relative, of the objective and the constraints; the benchmark wants 0.1 % of the rate."""


class Problem:
    """Minimise −Σ t over subflows' rates x ≥ 0 and t with A·x ≤ capacity, and exp(t) ≤ rate for each connection: (t, 1, rate) is
    in the exponential cone."""

    def __init__(self, capacities: list[float], connections: list[list[list[int]]]) -> None:
        subflows = [arcs for connection in connections for arcs in connection]
        used = {arc: row for row, arc in enumerate(sorted({arc for arcs in subflows for arc in arcs}))}
        self.subflows, count = len(subflows), len(connections)
        variables = self.subflows + count
        links = [(used[arc], subflow) for subflow, arcs in enumerate(subflows) for arc in arcs]
        positive = [(len(used) + subflow, subflow) for subflow in range(self.subflows)]
        limits = len(used) + self.subflows
        owners = [number for number, connection in enumerate(connections) for _ in connection]
        logarithms = [(limits + 3 * number, self.subflows + number) for number in range(count)]
        rates = [(limits + 3 * owner + 2, subflow) for subflow, owner in enumerate(owners)]
        cells = [*links, *positive, *logarithms, *rates]
        values = [1.0] * len(links) + [-1.0] * (len(cells) - len(links))
        self.matrix = sparse.csc_matrix((values, tuple(zip(*cells))), shape=(limits + 3 * count, variables))
        self.right = np.zeros(limits + 3 * count)
        self.right[:len(used)] = [capacities[arc] for arc in used]
        self.right[limits + 1::3] = 1.0
        self.objective = np.concatenate([np.zeros(self.subflows), -np.ones(count)])
        self.cones = [clarabel.NonnegativeConeT(limits)] + [clarabel.ExponentialConeT()] * count
        self.quadratic = sparse.csc_matrix((variables, variables))
        self.settings = clarabel.DefaultSettings()
        self.settings.verbose = False
        self.settings.max_threads = 1
        self.settings.tol_gap_abs = self.settings.tol_gap_rel = self.settings.tol_feas = ACCURACY

    def solve(self) -> "clarabel.DefaultSolution":
        """Solves it from scratch."""
        solution = clarabel.DefaultSolver(self.quadratic, self.objective, self.matrix, self.right, self.cones,
                                          self.settings).solve()
        if str(solution.status) != "Solved":
            raise RuntimeError(f"Clarabel says {solution.status}")
        return solution


def main() -> None:
    """Answers until standard input ends."""
    problems: list[Problem] = []
    rates: list[float] = []
    for line in sys.stdin:
        command, _, number = line.strip().partition(" ")
        if command == "solve":
            problem = problems[int(number)]
            solution = problem.solve()
            rates = solution.x[:problem.subflows]
            print(-solution.obj_val_dual, flush=True)
        elif command == "rates":
            print(json.dumps(rates), flush=True)
        else:
            problems.append(Problem(**json.loads(line)))
            print(len(problems), flush=True)


if __name__ == "__main__":
    main()
