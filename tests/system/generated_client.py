# SPDX-License-Identifier: Apache-2.0
"""Asks the live REST interface by the client that OpenAPI Generator made of its Swagger document (``onos_mptcp``).

Prints what it was answered, as JSON. Answers of other types than the document says end it with an error.

``generated_client.py ADDRESS CLIENT SERVER``: the address of the interface, and two hosts' ids; ``ONOS_WEB_USER`` and
``ONOS_WEB_PASS`` are the login.
"""

import importlib
import inspect
import json
import os
import sys
from typing import Any


def main(address: str, client: str, server: str) -> None:
    """Calls every operation that only looks, and then those that change something and change it back."""
    made: Any = importlib.import_module("onos_mptcp")
    login = {"username": os.environ["ONOS_WEB_USER"], "password": os.environ["ONOS_WEB_PASS"]}
    with made.ApiClient(made.Configuration(host=address, **login)) as api:
        apis = {name: kind(api) for name, kind in inspect.getmembers(made, inspect.isclass) if name.endswith("Api")}
        # The stream does not end, the metrics are text, and the last ones ask for the name of a connection.
        looked = {name: getattr(one, name)() for one in apis.values() for name in (
            "index_index", "agents_agents", "bound_bound", "cluster_cluster", "connections_connections", "counters_counters",
            "events_events", "links_links", "overlay_shown", "plan_plan", "policies_policies", "settings_settings",
            "topology_topology") if hasattr(one, name)}
        first = looked["connections_connections"].connections[0].id
        connections = apis["ConnectionsApi"]
        of_one = [connections.connections_connection(first), connections.connections_limits(first),
                  connections.connections_events(first)]
        before = looked["settings_settings"].idle_seconds
        changed = [apis["SettingsApi"].settings_change(made.SettingsChangeRequest(idleSeconds=seconds)).idle_seconds
                   for seconds in (before + 1, before)]
        question = made.WhatifWhatIfRequest(client=client, server=server, k=1, strategies=["shortest"])
        asked = apis["WhatifApi"].whatif_what_if(question)
        try:
            apis["SettingsApi"].settings_change(made.SettingsChangeRequest(joinPolicy="nobody"))
            refusal = ""
        except made.ApiException as failure:
            refusal = failure.body
    json.dump({"looked": sorted(looked), "connection": of_one[0].id, "links": len(looked["links_links"].links),
               "idleSeconds": [before, *changed], "answers": len(asked.answers), "refusal": refusal}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
