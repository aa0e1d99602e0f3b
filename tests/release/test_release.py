# SPDX-License-Identifier: Apache-2.0
"""What ``./lab release`` makes works where nothing else is: in a new virtual environment, a Maven project of three files, and a
Debian made for it."""

import io
import os
import re
import shutil
import venv
import zipfile
from pathlib import Path

import pytest

import clean_root
from clean_root import run
from mptcplab import packages, release
from mptcplab.settings import ROOT

pytestmark = pytest.mark.long

AGENT = ROOT / "mininet" / "mptcpagent"
MOST_EXPOSED = 3.0

_PROJECT = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>a</groupId> <artifactId>consumer</artifactId> <version>1</version>
  <properties> <maven.compiler.release>11</maven.compiler.release> </properties>
  <repositories> <repository> <id>release</id> <url>{repository}</url> </repository> </repositories>
  <dependencies>
    <dependency> <groupId>{group}</groupId> <artifactId>onos-mptcp-core</artifactId> <version>{version}</version> </dependency>
    <dependency> <groupId>{group}</groupId> <artifactId>onos-mptcp-api</artifactId> <version>{version}</version> </dependency>
    <dependency> <groupId>org.onosproject</groupId> <artifactId>onos-api</artifactId> <version>{onos}</version>
      <scope>provided</scope> </dependency>
  </dependencies>
</project>
"""

_SOURCE = """\
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;

/** Asks the core for paths, and compiles against the API. */
public class Consumer {
    static Object asked(MptcpService service) {
        return service.connections();
    }

    public static void main(String[] arguments) {
        Topology topology = Topologies.os3e(10e6);
        PathRequest request = PathRequest.on(topology.graph()).from(topology.node("Chicago")).to(topology.node("Houston"))
            .k(2).build();
        System.out.println(PathStrategies.named("resource-pool").findPaths(request).paths().size());
    }
}
"""


def a_local_repository_without_ours(folder):
    """As a newcomer has; the libraries of others are this machine's, so that a run asks for little."""
    def linked(source, target):
        try:
            os.link(source, target)
        except OSError:
            shutil.copy2(source, target)

    def left_out(where, names):
        # What Maven writes about downloads it changes in place.
        return [name for name in names if name == "_remote.repositories" or name.endswith((".lastUpdated", ".properties"))
                or name == "mptcp" and where.endswith("org/subflow")]
    shutil.copytree(Path.home() / ".m2/repository", folder, copy_function=linked, ignore=left_out)
    return folder


def listed(folder):
    return sorted(str(path) for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The folder with a release; nothing of it was left among the sources."""
    before, out = listed(AGENT), tmp_path_factory.mktemp("release") / "made"
    run(ROOT / "lab", "release", "--out", out)
    assert listed(AGENT) == before
    return out


@pytest.fixture(scope="module")
def artifacts(released):
    """(artifact, kind) → the jar in the Maven repository; kinds are "", "-sources" and "-javadoc"."""
    version = release.properties()["version"]
    return {(name, kind): zipfile.ZipFile(released.joinpath("maven", *release.GROUP.split("."), name, version,
                                                            f"{name}-{version}{kind}.jar"))
            for name in ("onos-mptcp-core", "onos-mptcp-api") for kind in ("", "-sources", "-javadoc")}


def test_all_parts_are_there_with_their_sums(released):
    run("sha256sum", "--check", "--strict", release.SUMS, cwd=released)
    assert {path.name for path in released.iterdir()} >= {
        f"onos-mptcp-{release.properties()['version']}.oar", "bundles.cdx.json", "page.cdx.json", "CHANGELOG.md", "CITATION.cff",
        "Containerfile", "LICENSE", "NOTICE", "maven", release.SUMS}
    summed = {line.split("  ", 1)[1] for line in (released / release.SUMS).read_text().splitlines()}
    assert summed == {str(path.relative_to(released)) for path in released.rglob("*") if path.is_file()} - {release.SUMS}


def test_the_core_is_the_bundle_of_the_archive(released, artifacts):
    with zipfile.ZipFile(next(released.glob("*.oar"))) as archive:
        [name] = [name for name in archive.namelist() if re.search(r"/onos-mptcp-core-[^/]*\.jar$", name)]
        inside = zipfile.ZipFile(io.BytesIO(archive.read(name)))
    assert {one.filename: one.CRC for one in inside.infolist()} == {
        one.filename: one.CRC for one in artifacts["onos-mptcp-core", ""].infolist()}


def test_sources_and_documentation_belong_to_the_jars(artifacts):
    for name in ("onos-mptcp-core", "onos-mptcp-api"):
        ours = {re.sub(r"(\$.*)?\.class$", "", entry) for entry in artifacts[name, ""].namelist()
                if entry.startswith("org/subflow/") and entry.endswith(".class")}
        sources = {entry.removesuffix(".java") for entry in artifacts[name, "-sources"].namelist()
                   if entry.endswith(".java") and not entry.endswith("package-info.java")}
        assert ours - {entry for entry in ours if entry.endswith("package-info")} == sources
        assert "index.html" in artifacts[name, "-javadoc"].namelist()
    assert all("/mptcp/api/" in entry for entry in artifacts["onos-mptcp-api", ""].namelist() if entry.endswith(".class"))


def test_a_maven_project_compiles_and_runs_with_one_jgrapht(released, artifacts, tmp_path):
    source = tmp_path / "src/main/java/Consumer.java"
    source.parent.mkdir(parents=True)
    source.write_text(_SOURCE)
    known = release.properties()
    (tmp_path / "pom.xml").write_text(_PROJECT.format(repository=(released / "maven").as_uri(), group=release.GROUP,
                                                      version=known["version"], onos=known["onos.version"]))
    ours = a_local_repository_without_ours(tmp_path / "m2")
    plugin = "org.apache.maven.plugins:maven"
    run("mvn", "-B", "-ntp", f"-Dmaven.repo.local={ours}", f"{plugin}-compiler-plugin:3.14.0:compile",
        f"{plugin}-dependency-plugin:3.8.1:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=libraries",
        cwd=tmp_path, JAVA_HOME=packages.jdk_home())
    libraries = sorted((tmp_path / "libraries").glob("*.jar"))
    assert not [path.name for path in libraries if re.match("jgrapht|jheaps|apfloat|onos-api", path.name)]
    with_graphs = [path.name for path in libraries if "org/jgrapht/Graph.class" in zipfile.ZipFile(path).namelist()]
    assert len(with_graphs) == 1 and with_graphs[0].startswith("onos-mptcp-core")
    classes = os.pathsep.join(map(str, [tmp_path / "target/classes", *libraries]))
    told = run(Path(packages.java_home(), "bin/java"), "-cp", classes, "Consumer", cwd=tmp_path)
    assert told.split() == ["2"]


@pytest.mark.parametrize("of", ["the wheel", "the sources"])
def test_the_agent_in_a_new_virtual_environment(released, tmp_path, of):
    venv.create(tmp_path, with_pip=True)
    before = listed(AGENT)
    run(tmp_path / "bin/pip", "install", "-q", next(released.glob("*.whl")) if of == "the wheel" else AGENT)
    assert listed(AGENT) == before
    assert run(tmp_path / "bin/mptcp-agent", "--version", cwd=tmp_path).startswith("mptcp-agent ")
    [package] = tmp_path.glob("lib/python*/site-packages/mptcpagent")
    there = {path.name for path in package.iterdir() if path.name != "__pycache__"}
    assert there == {path.name for path in AGENT.iterdir() if path.suffix in (".py", ".c", ".h", ".service")}


@pytest.fixture(scope="module")
def debian(released, tmp_path_factory):
    """The root of a Debian as small as it can be, with Python and with our package."""
    root = tmp_path_factory.mktemp("debian")
    clean_root.debian(root, clean_root.codename(), ["python3"])
    yield root
    shutil.rmtree(root)


def test_the_debian_package_in_a_clean_root(released, debian):
    package = next(released.glob("mptcp-agent_*_all.deb"))
    run("dpkg", f"--root={debian}", "-i", package)
    assert run("chroot", debian, "mptcp-agent", "--version").startswith("mptcp-agent ")
    assert (debian / "usr/share/man/man8/mptcp-agent.8.gz").is_file()
    assert oct((debian / "etc/mptcp-agent").stat().st_mode & 0o777) == "0o755"
    assert (debian / "etc/mptcp-agent/options").is_file()
    unit = (debian / "lib/systemd/system/mptcp-agent.service").read_text()
    program = re.search(r"^ExecStart=(\S+)", unit, re.MULTILINE)[1]
    assert os.access(f"{debian}{program}", os.X_OK)
    assert not list((debian / "etc/systemd/system").rglob("mptcp-agent.service")), "nobody has told it of a controller yet"
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager", debian / "lib/systemd/system/mptcp-agent.service")
    assert float(re.search(r"Overall exposure level for \S+: ([\d.]+)", said)[1]) < MOST_EXPOSED
    (debian / "etc/mptcp-agent/token").write_text("secret")
    run("dpkg", f"--root={debian}", "--purge", "mptcp-agent")
    left = [path for path in debian.rglob("*mptcp*agent*") if "var/lib/dpkg" not in str(path) and "var/log" not in str(path)]
    assert left == []
