# SPDX-License-Identifier: Apache-2.0
"""Commands into a demonstration that runs: a shell on a host, links down and up, captures, further transfers.

``client`` runs outside, in the user's own terminal. It asks ``console``, which listens inside the demonstration, at a socket in
its run's folder that nobody but its owner may use. ``actions`` is what the console does.
"""
