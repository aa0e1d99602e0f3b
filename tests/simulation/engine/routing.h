// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// Routes of a node by the address that a packet goes to: paths come from the scenario, as a controller gives them to switches.
#pragma once

#include "ns3/internet-module.h"

#include <unordered_map>
#include <unordered_set>

namespace sim {
using namespace ns3;

class PathRouting : public Ipv4RoutingProtocol {
  public:
    static TypeId GetTypeId() {
        static TypeId id = TypeId("sim::PathRouting").SetParent<Ipv4RoutingProtocol>().AddConstructor<PathRouting>();
        return id;
    }

    /// Packets to `to` leave by this interface; in a radio network they go to `gateway` first.
    void Add(Ipv4Address to, uint32_t interface, Ipv4Address gateway) { m_ways[to.Get()] = {interface, gateway}; }

    /// The address that a connection to `to` begins with. ns-3 asks for it before the connection has one: without, packets
    /// come from 102.102.102.102.
    void SetSource(Ipv4Address to, Ipv4Address source) { m_sources[to.Get()] = source; }

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet>, const Ipv4Header& header, Ptr<NetDevice>, Socket::SocketErrno& error) override {
        Ptr<Ipv4Route> route = Find(header);
        error = route ? Socket::ERROR_NOTERROR : Socket::ERROR_NOROUTETOHOST;
        return route;
    }

    bool RouteInput(Ptr<const Packet> packet, const Ipv4Header& header, Ptr<const NetDevice> from,
                    const UnicastForwardCallback& forward, const MulticastForwardCallback&, const LocalDeliverCallback& deliver,
                    const ErrorCallback&) override {
        if (m_local.count(header.GetDestination().Get())) {
            deliver(packet, header, m_ipv4->GetInterfaceForDevice(from));
            return true;
        }
        Ptr<Ipv4Route> route = Find(header);
        if (!route) return false;
        forward(route, packet, header);
        return true;
    }

    void NotifyInterfaceUp(uint32_t) override {}
    void NotifyInterfaceDown(uint32_t) override {}
    void NotifyAddAddress(uint32_t, Ipv4InterfaceAddress address) override { m_local.insert(address.GetLocal().Get()); }
    void NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress address) override { m_local.erase(address.GetLocal().Get()); }
    void SetIpv4(Ptr<Ipv4> ipv4) override { m_ipv4 = ipv4; }
    void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override {}

  private:
    struct Way {
        uint32_t interface;
        Ipv4Address gateway;
    };

    /// One object for each pair of ends, and not one for each packet.
    Ptr<Ipv4Route> Find(const Ipv4Header& header) {
        uint32_t to = header.GetDestination().Get();
        bool hasSource = header.GetSource().IsInitialized() && !header.GetSource().IsAny();
        auto& kept = m_kept[uint64_t(to) << 32 | (hasSource ? header.GetSource().Get() : 0)];
        if (kept) return kept;
        auto way = m_ways.find(to);
        if (way == m_ways.end()) return nullptr;
        auto source = m_sources.find(to);
        kept = Create<Ipv4Route>();
        kept->SetDestination(header.GetDestination());
        kept->SetSource(hasSource || source == m_sources.end() ? header.GetSource() : source->second);
        kept->SetGateway(way->second.gateway);
        kept->SetOutputDevice(m_ipv4->GetNetDevice(way->second.interface));
        return kept;
    }

    Ptr<Ipv4> m_ipv4;
    std::unordered_map<uint32_t, Way> m_ways;
    std::unordered_set<uint32_t> m_local;
    std::unordered_map<uint32_t, Ipv4Address> m_sources;
    std::unordered_map<uint64_t, Ptr<Ipv4Route>> m_kept;
};

class PathRoutingHelper : public Ipv4RoutingHelper {
  public:
    PathRoutingHelper* Copy() const override { return new PathRoutingHelper(*this); }
    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override { return CreateObject<PathRouting>(); }
};

} // namespace sim
