#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Starts the embedded ONOS beside real switches and checks that it does what it is there for.

    smoke.py [--home DIR] [--oar FILE] [--keep]

Needs root, Open vSwitch, iproute2 and an SSH client. Everything lives in network namespaces and a directory of its own; nothing that was
there before is touched. Prints one line per check with what was measured, and ends with status 1 at the first that fails.
"""

import argparse
import base64
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

LINKS = [(1, 2), (1, 3), (1, 4), (2, 5), (3, 5), (4, 5)]
HOSTS = {1: 1, 2: 5}
APPLICATIONS = ["drivers", "openflow-base", "hostprovider", "lldpprovider", "openflow", "fwd"]
CLONE_NEWNET = 0x40000000


class Failed(Exception):
    """A check that did not hold."""


def run(*command, **options):
    """Runs a command to its end and returns what it printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise Failed(f"{' '.join(command)}: {done.stdout.strip()}")
    return done.stdout


def wait(what, condition, seconds=60, pause=0.05):
    """Waits until a condition holds and returns its value and how many seconds it took."""
    begin = time.monotonic()
    while time.monotonic() - begin < seconds:
        value = condition()
        if value:
            return value, time.monotonic() - begin
        time.sleep(pause)
    raise Failed(f"{what}: not within {seconds} s")


class Network:
    """Five switches in a diamond, 1-{2,3,4}-5, in one namespace, and a host at each end in its own."""

    def __init__(self, directory):
        self.directory = directory
        self.tag = f"smoke{os.getpid()}"
        self.daemons = {}
        self.namespaces = []

    def namespace(self, name=""):
        return self.tag + name

    def start(self):
        for name in ["", *(f"h{n}" for n in HOSTS)]:
            run("ip", "netns", "add", self.namespace(name))
            self.namespaces.append(self.namespace(name))
            run("ip", "-n", self.namespace(name), "link", "set", "lo", "up")
        self.start_database()
        self.start_switches()
        for switch in range(1, 6):
            self.vsctl("add-br", f"s{switch}", "--", "set", "bridge", f"s{switch}", "datapath_type=netdev",
                       "protocols=OpenFlow13", "fail_mode=secure", f"other-config:datapath-id={switch:016x}",
                       "--", "set-controller", f"s{switch}", "tcp:127.0.0.1:6653",
                       "--", "set", "controller", f"s{switch}", "max_backoff=1000")
        for a, b in LINKS:
            self.inside("ip", "link", "add", f"s{a}-s{b}", "type", "veth", "peer", "name", f"s{b}-s{a}")
            for port, switch in ((f"s{a}-s{b}", a), (f"s{b}-s{a}", b)):
                self.inside("ip", "link", "set", port, "up")
                self.vsctl("add-port", f"s{switch}", port)
        for host, switch in HOSTS.items():
            self.add_host(host, switch)

    def add_host(self, host, switch):
        space, port = self.namespace(f"h{host}"), f"s{switch}-h{host}"
        self.inside("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
        self.inside("ip", "link", "set", port, "up")
        run("ip", "-n", space, "address", "add", f"10.0.0.{host}/24", "dev", "eth0")
        run("ip", "-n", space, "link", "set", "eth0", "address", f"02:00:00:00:00:{host:02x}")
        run("ip", "-n", space, "link", "set", "eth0", "up")
        # Checksums left to a device never get made in the switches' user-space data path.
        self.on(host, "ethtool", "-K", "eth0", "tx", "off")
        self.vsctl("add-port", f"s{switch}", port)

    def start_database(self):
        database = f"{self.directory}/conf.db"
        run("ovsdb-tool", "create", database, "/usr/share/openvswitch/vswitch.ovsschema")
        self.daemon("ovsdb-server", database, f"--remote=punix:{self.directory}/db.sock")
        self.vsctl("init")

    def start_switches(self):
        self.daemon("ovs-vswitchd", f"unix:{self.directory}/db.sock")

    def daemon(self, name, *arguments):
        self.inside(name, *arguments, f"--pidfile={self.directory}/{name}.pid", f"--unixctl={self.directory}/{name}.ctl",
                    f"--log-file={self.directory}/{name}.log", "--detach")
        self.daemons[name] = int(pathlib.Path(self.directory, f"{name}.pid").read_text())

    def stop_daemon(self, name):
        process = self.daemons.pop(name)
        os.kill(process, signal.SIGTERM)
        wait(f"{name} ends", lambda: not pathlib.Path(f"/proc/{process}").exists(), 20)

    def vsctl(self, *arguments):
        return run("ovs-vsctl", "--no-wait", f"--db=unix:{self.directory}/db.sock", *arguments)

    def inside(self, *command):
        return run("nsenter", f"--net=/var/run/netns/{self.namespace()}", *command,
                   env={**os.environ, "OVS_RUNDIR": str(self.directory)})

    def on(self, host, *command):
        return run("nsenter", f"--net=/var/run/netns/{self.namespace(f'h{host}')}", *command)

    def ping(self, *arguments):
        """Pings host 2 from host 1 and returns ping's report, also if some or all are lost."""
        return subprocess.run(["nsenter", f"--net=/var/run/netns/{self.namespace('h1')}", "ping", "-n", *arguments,
                               "10.0.0.2"], stdout=subprocess.PIPE, text=True, check=False).stdout

    def rules(self, switch):
        return self.inside("ovs-ofctl", "-O", "OpenFlow13", "dump-flows", f"unix:{self.directory}/s{switch}.mgmt")

    def stop(self):
        for name in list(self.daemons)[::-1]:
            self.stop_daemon(name)
        for namespace in self.namespaces:
            run("ip", "netns", "delete", namespace)


class Onos:
    """The controller, as a process in the switches' namespace."""

    def __init__(self, home, directory, namespace):
        self.home, self.directory, self.namespace = home, directory, namespace
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["nsenter", f"--net=/var/run/netns/{self.namespace}", f"{self.home}/bin/onos-instance", self.directory],
            stdin=subprocess.DEVNULL, stdout=open(f"{self.directory}.out", "a", encoding="utf-8"),
            stderr=subprocess.STDOUT)

    def rest(self, path, method="GET", body=None, kind="application/json"):
        """Asks the REST API and returns status and decoded answer; status 0 if there is no answer."""
        request = urllib.request.Request(f"http://127.0.0.1:8181{path}", method=method, data=body)
        request.add_header("Authorization", "Basic " + base64.b64encode(b"onos:rocks").decode())
        if body is not None:
            request.add_header("Content-Type", kind)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text[:1] in (b"{", b"[") else None
        except urllib.error.HTTPError as e:
            return e.code, None
        except OSError:
            return 0, None

    def get(self, path):
        return (self.rest("/onos/v1" + path)[1] or {})

    def active(self):
        return {a["name"] for a in self.get("/applications").get("applications", []) if a["state"] == "ACTIVE"}

    def links(self):
        return self.get("/links").get("links", [])

    def flows(self, application):
        return [f for f in self.get(f"/flows/application/{application}").get("flows", []) if f["state"] == "ADDED"]

    def shell(self, command):
        """Runs a command in the Karaf shell."""
        password = pathlib.Path(f"{self.directory}.askpass")
        password.write_text("#!/bin/sh\necho karaf\n", encoding="utf-8")
        password.chmod(0o700)
        return run("ssh", "-p", "8101", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                   "-o", "LogLevel=ERROR", "-o", "NumberOfPasswordPrompts=1", "karaf@127.0.0.1", command,
                   stdin=subprocess.DEVNULL,
                   env={**os.environ, "SSH_ASKPASS": str(password), "SSH_ASKPASS_REQUIRE": "force"})

    def resident_megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024

    def stop(self):
        """Ends the process and returns its status and how many seconds that took."""
        begin = time.monotonic()
        self.process.terminate()
        try:
            return self.process.wait(60), time.monotonic() - begin
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failed("ONOS did not end within 60 s of SIGTERM") from None


def say(name, text):
    print(f"{name:<22} {text}", flush=True)


def check_boot(onos):
    onos.start()
    begin = time.monotonic()
    wait("REST", lambda: onos.process.poll() is not None or onos.rest("/onos/v1/devices")[0] == 200, 180)
    if onos.process.poll() is not None:
        raise Failed(f"ONOS ended by itself; see {onos.directory}.out")
    rest = time.monotonic() - begin
    wanted = {f"org.onosproject.{name}" for name in APPLICATIONS}
    wait("applications", lambda: wanted <= onos.active(), 60)
    say("boot", f"REST after {rest:.1f} s, applications after {time.monotonic() - begin:.1f} s, "
                f"{onos.resident_megabytes()} MB resident")
    refused = urllib.request.Request("http://127.0.0.1:8181/onos/v1/devices")
    try:
        urllib.request.urlopen(refused, timeout=10)
        raise Failed("REST answers without a login")
    except urllib.error.HTTPError as e:
        if e.code != 401:
            raise Failed(f"REST without a login: {e.code}, not 401") from None


def check_topology(onos):
    begin = time.monotonic()
    wait("devices", lambda: sum(d["available"] for d in onos.get("/devices").get("devices", [])) == 5)
    devices = time.monotonic() - begin
    wait("links", lambda: len(onos.links()) == 2 * len(LINKS))
    say("topology", f"5 devices after {devices:.1f} s, {2 * len(LINKS)} links after {time.monotonic() - begin:.1f} s")


def check_forwarding(onos, network):
    report = network.ping("-c", "5", "-i", "0.2")
    if " 0% packet loss" not in report:
        raise Failed(f"ping: {report}")
    wait("hosts", lambda: sorted(a for h in onos.get("/hosts").get("hosts", []) for a in h["ipAddresses"])
         == ["10.0.0.1", "10.0.0.2"])
    rules, _ = wait("rules of the forwarder", lambda: onos.flows("org.onosproject.fwd"), 30)
    kinds = {(f["priority"], f["timeout"], tuple(sorted(c["type"] for c in f["selector"]["criteria"]))) for f in rules}
    if kinds != {(10, 10, ("ETH_DST", "ETH_SRC", "IN_PORT"))}:
        raise Failed(f"rules of the forwarder: {kinds}")
    say("forwarding", f"ping works, {len(rules)} rules by MAC addresses; {report.splitlines()[-1]}")


def check_tcp(network):
    sink = ("import socket;s=socket.create_server(('10.0.0.2',5001));print('ready',flush=True);c,_=s.accept()\n"
            "n=0\nwhile True:\n d=c.recv(65536)\n if not d: break\n n+=len(d)\nprint(n)")
    source = "import socket;c=socket.create_connection(('10.0.0.2',5001),20);c.sendall(bytes(10**7));c.close()"
    server = subprocess.Popen(["nsenter", f"--net=/var/run/netns/{network.namespace('h2')}", sys.executable, "-c", sink],
                              stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        begin = time.monotonic()
        network.on(1, sys.executable, "-c", source)
        received = int(server.communicate(timeout=30)[0])
    finally:
        server.kill()
    if received != 10 ** 7:
        raise Failed(f"TCP: {received} of {10 ** 7} bytes arrived")
    say("TCP", f"10 MB in {time.monotonic() - begin:.2f} s")


def check_counters(onos, network):
    def sent():
        statistics = onos.get("/statistics/ports/of:0000000000000001").get("statistics", [])
        return sum(p["bytesSent"] for s in statistics for p in s["ports"])
    onos.rest("/onos/v1/configuration/org.subflow.mptcp.southbound.device.OpenFlowDeviceProvider", "POST",
              b'{"portStatsPollFrequency": 1}')
    onos.rest("/onos/v1/configuration/org.subflow.mptcp.southbound.flow.OpenFlowRuleProvider", "POST",
              b'{"flowPollFrequency": 1}')
    before = sent()
    network.ping("-c", "20", "-i", "0.02", "-s", "1000")
    after, seconds = wait("port counters", lambda: sent() > before + 20_000 and sent(), 20)
    wait("flow counters", lambda: any(f["packets"] >= 20 for f in onos.flows("org.onosproject.fwd")), 20)
    say("counters", f"{after - before} bytes counted after {seconds:.1f} s")


def add_intents(onos):
    """Leads ICMP between the hosts by two intents, above the forwarder's rules, and returns their keys."""
    keys = []
    for source, target in ((1, 2), (2, 1)):
        intent = {"type": "PointToPointIntent", "appId": "org.onosproject.fwd", "priority": 200, "key": f"smoke{source}",
                  "ingressPoint": {"device": f"of:{HOSTS[source]:016x}", "port": "4"},
                  "egressPoint": {"device": f"of:{HOSTS[target]:016x}", "port": "4"},
                  "selector": {"criteria": [{"type": "ETH_TYPE", "ethType": "0x800"},
                                            {"type": "IPV4_SRC", "ip": f"10.0.0.{source}/32"},
                                            {"type": "IPV4_DST", "ip": f"10.0.0.{target}/32"}]}}
        status, _ = onos.rest("/onos/v1/intents", "POST", json.dumps(intent).encode())
        if status != 201:
            raise Failed(f"an intent was refused: {status}")
        keys.append(f"smoke{source}")
    return keys


def installed(onos, keys):
    states = {i["key"]: i["state"] for i in onos.get("/intents").get("intents", [])}
    return all(states.get(key) == "INSTALLED" for key in keys)


def middle_switches(onos):
    """The switches between s1 and s5 that the intents' rules are on."""
    return {int(f["deviceId"][-1]) for f in onos.flows("org.onosproject.net.intent")} - {1, 5}


def check_intents(onos, network):
    keys = add_intents(onos)
    _, seconds = wait("intents", lambda: installed(onos, keys), 30)
    rules, _ = wait("rules of the intents", lambda: [f for f in onos.flows("org.onosproject.net.intent")
                                                      if f["deviceId"].endswith("5")], 30)
    if f"0x{int(rules[0]['id']):x}" not in network.rules(5):
        raise Failed("a rule that ONOS calls added is not in the switch")
    say("intents", f"two INSTALLED after {seconds:.2f} s over s{middle_switches(onos)}")
    return keys


def check_link_failure(onos, network, keys):
    (middle,) = middle_switches(onos)
    pinging = subprocess.Popen(
        ["nsenter", f"--net=/var/run/netns/{network.namespace('h1')}", "ping", "-n", "-c", "400", "-i", "0.01", "-D",
         "10.0.0.2"], stdout=subprocess.PIPE, text=True)
    for _ in range(50):
        pinging.stdout.readline()
    network.inside("ip", "link", "set", f"s1-s{middle}", "down")
    _, gone = wait("link gone", lambda: len(onos.links()) == 2 * len(LINKS) - 2, 30, 0.002)
    wait("intents moved", lambda: installed(onos, keys) and middle_switches(onos) not in ({middle}, set()), 30, 0.01)
    answers = [float(t) for t in re.findall(r"^\[([\d.]+)\] 64 bytes", pinging.communicate(timeout=60)[0], re.M)]
    interruption = max(b - a for a, b in zip(answers, answers[1:]))
    network.inside("ip", "link", "set", f"s1-s{middle}", "up")
    _, back = wait("link back", lambda: len(onos.links()) == 2 * len(LINKS), 30)
    say("link failure", f"link gone for REST after {gone * 1000:.0f} ms, longest pause between pings "
                        f"{interruption * 1000:.0f} ms of 10, link back after {back:.2f} s")


def check_reconnection(onos, network, keys):
    wait("intents", lambda: installed(onos, keys), 30)
    network.stop_daemon("ovs-vswitchd")
    wait("devices gone", lambda: not any(d["available"] for d in onos.get("/devices").get("devices", [])), 60)
    network.start_switches()
    begin = time.monotonic()
    wait("links", lambda: len(onos.links()) == 2 * len(LINKS), 60)
    links = time.monotonic() - begin
    wait("intents", lambda: installed(onos, keys), 60)
    wait("ping", lambda: " 0% packet loss" in network.ping("-c", "1", "-W", "1"), 60)
    say("switches restarted", f"links after {links:.1f} s, ping with the intents' rules after "
                              f"{time.monotonic() - begin:.1f} s")


def check_foreign_rules(onos, network):
    """Rules with something in them that ONOS has no name for stay; rules it could have sent itself go."""
    management = f"unix:{network.directory}/s3.mgmt"
    for rule in ("cookie=0x77,priority=3,ip,nw_src=9.0.0.9/255.0.0.255,actions=drop", "cookie=0x78,priority=3,in_port=9,actions=drop"):
        network.inside("ovs-ofctl", "-O", "OpenFlow13", "add-flow", management, rule)
    wait("foreign rule removed", lambda: "cookie=0x78" not in network.rules(3), 30)
    if "cookie=0x77" not in network.rules(3):
        raise Failed("a rule that ONOS does not understand was removed")
    say("foreign rules", "the one that is not understood stays, the other goes")


def check_shell(onos):
    for command, expected in (("onos:links", "state=ACTIVE"), ("onos:flows -s", "state=ADDED|ADDED"), ("onos:intents", "INSTALLED"),
                              ("onos:hosts", "10.0.0.2"), ("onos:resources", "Bandwidth"),
                              ("onos:apps -s -a", "org.onosproject.fwd")):
        answer = onos.shell(command)
        if not re.search(expected, answer):
            raise Failed(f"{command}: {answer}")
    say("shell", "links, flows, intents, hosts, resources and apps answer")


def check_application(onos, archive):
    """Installs, deactivates, activates and removes an application as onos-app does."""
    bits = pathlib.Path(archive).read_bytes()
    begin = time.monotonic()
    status, answer = onos.rest("/onos/v1/applications?activate=true", "POST", bits, "application/octet-stream")
    if status != 200:
        raise Failed(f"the application was refused: {status}")
    name = answer["name"]
    wait("application", lambda: name in onos.active(), 30)
    installed_after = time.monotonic() - begin
    for method, expected in (("DELETE", False), ("POST", True)):
        onos.rest(f"/onos/v1/applications/{name}/active", method)
        wait(f"application after {method}", lambda: (name in onos.active()) == expected, 30)
    onos.rest(f"/onos/v1/applications/{name}", "DELETE")
    wait("application removed", lambda: name not in [a["name"] for a in onos.get("/applications")["applications"]], 30)
    say("application", f"{name} installed in {installed_after:.2f} s, off, on, removed")


def check_end(onos):
    status, seconds = onos.stop()
    if status not in (0, 128 + signal.SIGTERM, -signal.SIGTERM):
        raise Failed(f"ONOS ended with status {status}")
    say("end", f"{seconds:.1f} s after SIGTERM")


def check_all(arguments, directory):
    network = Network(directory)
    onos = Onos(arguments.home, f"{directory}/onos", network.namespace())
    try:
        network.start()
        enter(network.namespace())
        check_boot(onos)
        check_topology(onos)
        check_forwarding(onos, network)
        check_tcp(network)
        check_counters(onos, network)
        keys = check_intents(onos, network)
        check_link_failure(onos, network, keys)
        check_shell(onos)
        check_reconnection(onos, network, keys)
        check_foreign_rules(onos, network)
        if arguments.oar:
            check_application(onos, arguments.oar)
        say("memory", f"{onos.resident_megabytes()} MB resident")
        check_end(onos)
    finally:
        if onos.process and onos.process.poll() is None:
            onos.stop()
        network.stop()


def enter(namespace):
    """Moves this process into a network namespace, so that it reaches ONOS's loopback address."""
    with open(f"/var/run/netns/{namespace}", encoding="utf-8") as handle:
        if ctypes.CDLL(None, use_errno=True).setns(handle.fileno(), CLONE_NEWNET):
            raise Failed(f"cannot enter {namespace}: {os.strerror(ctypes.get_errno())}")


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--home", default=here / "assembly/target/onos-embedded", type=pathlib.Path,
                        help="the embedded ONOS as built")
    parser.add_argument("--oar", help="an application to install as well")
    parser.add_argument("--keep", action="store_true", help="keep the logs, and say where they are")
    arguments = parser.parse_args()
    if os.geteuid():
        parser.error("this needs root, for network namespaces")
    if not (arguments.home / "bin/onos-instance").exists():
        parser.error(f"no embedded ONOS in {arguments.home}; build it first")
    directory = tempfile.mkdtemp(prefix="onos-smoke-")
    try:
        check_all(arguments, directory)
    except Failed as e:
        print(f"FAILED: {e}", file=sys.stderr)
        return 1
    finally:
        if arguments.keep:
            print(f"logs are in {directory}")
        else:
            shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main())
