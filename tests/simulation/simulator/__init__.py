# SPDX-License-Identifier: Apache-2.0
"""The papers' networks by packets: scenarios in Python, run by ns-3 with the agent's own congestion controls."""
