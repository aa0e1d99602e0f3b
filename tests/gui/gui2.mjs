// SPDX-License-Identifier: Apache-2.0
// The topology view of ONOS's GUI2 in a browser (gui2/), on a live ONOS. GUI2's own server is not published. What that one
// tells of the network is told here, from REST and in its format. Everything else that the view receives comes from the message
// handlers of the extensions in ONOS, through a session of onos/gui.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'gui2');
const ADDRESS = 'http://gui2.invalid/';
const SESSIONS = { host: '127.0.0.1', port: 8182 };
const NODE = '127.0.0.1';
/** A slip in GUI2's own template, which every browser complains of. */
const SLIP = /<svg> attribute transform/;

/**
 * Opens the view. `rest` is the address of ONOS's REST with its `authorization`; `places` has x and y of nodes by name, as
 * GUI2's server keeps them of nodes that were dragged. `page.asked` lists the events that the view has sent,
 * `page.complaints` errors in the console. `page.receive` lets it receive an event.
 */
export async function openTopologyView(browser, { rest, authorization, places = {}, options = {} }) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options })).newPage();
  page.asked = [];
  page.complaints = [];
  page.foreign = [];
  page.on('console', (message) => message.type() === 'error' && !SLIP.test(message.text()) && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('request', (request) => request.url().startsWith(ADDRESS) || page.foreign.push(request.url()));
  await page.route(`${ADDRESS}**`, (route) => serve(route));
  await page.routeWebSocket(/\/websock\//, (socket) => join(page, socket, () => network(rest, authorization, places)));
  // Its templates are compiled in the browser: on a busy machine that takes long.
  await page.goto(ADDRESS, { waitUntil: 'commit' });
  return page;
}

function serve(route) {
  const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
  const files = { 'index.html': ['index.html', 'text/html'], 'host.js': ['target/host.js', 'text/javascript'] };
  const [file, contentType] = files[name] ?? [];
  return file ? route.fulfill({ contentType, body: readFileSync(path.join(folder, file)) }) : route.fulfill({ status: 404 });
}

/** Puts a session in ONOS behind the view's websocket. */
function join(page, socket, ask) {
  const session = connect(SESSIONS);
  const send = (event, payload) => socket.send(JSON.stringify({ event, payload }));
  page.receive = send;
  session.on('error', (error) => page.complaints.push(String(error)));
  createInterface({ input: session }).on('line', (line) => socket.send(line));
  page.on('close', () => session.destroy());
  socket.onClose(() => session.destroy());
  socket.onMessage(async (message) => {
    const { event, payload } = JSON.parse(message);
    page.asked.push({ event, payload });
    session.write(`${message}\n`);
    if (event === 'topo2Start') {
      for (const [told, content] of Object.entries(await ask())) {
        send(told, content);
      }
    }
  });
  send('bootstrap', { user: 'onos', clusterNodes: [{ id: NODE, ip: NODE, m_uiAttached: true }], glyphs: [] });
}

/** What GUI2's server answers to topo2Start, in this order. */
async function network(rest, authorization, places) {
  const get = async (what) => (await (await fetch(`${rest}/${what}`, { headers: { authorization } })).json())[what];
  const [devices, links, hosts] = [await get('devices'), await get('links'), await get('hosts')];
  const common = (id, annotations) => ({
    id, layer: 'def', props: { ...annotations, ...(places[id] && { locType: 'none' }) }, ...(places[id] && { metaUi: places[id] }),
  });
  return {
    topo2AllInstances: { members: [{ id: NODE, ip: NODE, online: true, ready: true, uiAttached: true, switches: devices.length }] },
    topo2CurrentLayout: {
      id: '_default_', parent: '', region: '(root)', regionName: '(root)', crumbs: [],
      bgZoom: { cfg: { scale: 1, offsetX: 0, offsetY: 0 } },
    },
    topo2CurrentRegion: {
      id: '(root)', subregions: [], layerOrder: ['opt', 'pkt', 'def'],
      devices: [[], [], devices.map((device) => ({
        ...common(device.id, device.annotations), nodeType: 'device', type: device.type.toLowerCase(), online: device.available,
        master: NODE,
      }))],
      hosts: [[], [], hosts.map((host) => ({
        ...common(host.id, host.annotations), nodeType: 'host', ips: host.ipAddresses, configured: host.configured,
      }))],
      links: [...infrastructure(links), ...hosts.flatMap(edges)],
    },
    topo2PeerRegions: { peers: [] },
  };
}

/** A link of the view for both directions, from the device whose name sorts first. */
function infrastructure(links) {
  const end = ({ device, port }) => `${device}/${port}`;
  return links.filter(({ src, dst }) => src.device < dst.device).map(({ src, dst }) => ({
    id: `${end(src)}~${end(dst)}`, epA: end(src), epB: end(dst), portA: src.port, portB: dst.port, type: 'UiDeviceLink',
  }));
}

/** The links of a host. */
function edges({ id, locations }) {
  return locations.map(({ elementId, port }) => ({
    id: `${id}~${elementId}/${port}`, epA: id, epB: `${elementId}/${port}`, portB: port, type: 'UiEdgeLink',
  }));
}

/** In the page: what it shows of each link, by the link's name: its classes without Angular's, its colour and its label. */
export function shownLinks() {
  return Object.fromEntries([...document.querySelectorAll('[onos-linksvg]')].map((element) => {
    const line = element.querySelector('line');
    const text = element.querySelector('.linkLabel text');
    return [ng.probe(element).componentInstance.link.id, {
      classes: [...line.classList].filter((name) => !name.startsWith('ng-') && name !== 'link').join(' '),
      colour: getComputedStyle(line).stroke, dashes: getComputedStyle(line).strokeDasharray,
      label: getComputedStyle(text).opacity > 0 ? text.textContent : '',
    }];
  }));
}
