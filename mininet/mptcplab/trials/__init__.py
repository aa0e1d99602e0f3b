# SPDX-License-Identifier: Apache-2.0
"""The papers' experiments with real transfers, for ``./lab reproduce --testbed``. Each returns the rows of a CSV file."""
