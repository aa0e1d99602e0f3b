// SPDX-License-Identifier: Apache-2.0
// Writes what npm's packages brought into the built page, as a CycloneDX bill of materials: the names and licences from
// Angular's 3rdpartylicenses.txt, which lists what it put in, and the versions from package-lock.json.
import { readFileSync } from "node:fs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const texts = readFileSync("target/page/3rdpartylicenses.txt", "utf8");

function component(name, license) {
  const installed = lock.packages[`node_modules/${name}`];
  if (!installed) {
    throw new Error(`${name} is in the page, but not in package-lock.json`);
  }
  const purl = `pkg:npm/${name.replace("@", "%40")}@${installed.version}`;
  return { type: "library", "bom-ref": purl, name, version: installed.version, licenses: [{ license: { id: license } }], purl };
}

const components = [...texts.matchAll(/^Package: (.+)\nLicense: "(.+)"$/gm)]
  .map(([, name, license]) => component(name, license))
  .sort((one, other) => (one.name < other.name ? -1 : 1));
if (components.length === 0) {
  throw new Error("3rdpartylicenses.txt names no package");
}
const page = { type: "application", name: lock.name, version: lock.version, licenses: [{ license: { id: "Apache-2.0" } }] };
process.stdout.write(`${JSON.stringify(
  { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component: page }, components }, null, 2)}\n`);
