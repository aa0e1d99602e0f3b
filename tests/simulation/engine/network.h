// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// The network of a scenario: nodes with links, or with radios, and the routes of paths through it.
#pragma once

#include "json.h"
#include "routing.h"

#include "ns3/core-module.h"
#include "ns3/mobility-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"

namespace sim {

/// A full frame of MPTCP on Ethernet has 1428 bytes of payload, 14 of Ethernet, 20 of IP, 20 of TCP, 12 of timestamps and 20 of DSS.
/// Here are 2 of PPP instead of Ethernet's, no timestamps and no DSS, so rates are scaled for frames to take as long.
constexpr double ETHERNET = 1514.0, SIMULATED = 1470.0;

class Network {
  public:
    Network() {
        PathRoutingHelper routing;
        m_stack.SetRoutingHelper(routing);
        m_stack.SetIpv6StackInstall(false);
    }

    Ptr<Node> Find(const std::string& name) {
        auto& node = m_nodes[name];
        if (!node) {
            node = CreateObject<Node>();
            m_stack.Install(node);
        }
        return node;
    }

    /// "link": both ends, Mbit/s, seconds of delay, packets of queue; "red" if it drops or marks before its queue is full.
    void AddLink(const Json& link) {
        double bps = link["mbps"].Number() * 1e6 * SIMULATED / ETHERNET;
        bool isRed = link.Has("red");
        PointToPointHelper helper;
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(uint64_t(bps))));
        helper.SetChannelAttribute("Delay", TimeValue(Seconds(link["delay"].Number())));
        helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue((isRed ? "1" : Whole(link["queue"])) + "p"));
        Ptr<Node> ends[] = {Find(link["from"].Text()), Find(link["to"].Text())};
        auto devices = helper.Install(ends[0], ends[1]);
        for (int i : {0, 1}) {
            m_interfaces[{ends[i]->GetId(), ends[1 - i]->GetId()}] = Up(ends[i], devices.Get(i));
            if (isRed) Mark(link, devices.Get(i), bps);
        }
    }

    /// "radio": 802.11b in ad hoc mode (IEEE 802.11-2020, clause 16), without losses but for collisions. "places": node → [x, y] in
    /// metres; "range": metres; "transmissions": of a frame at most. "channels": the nodes that have a radio on each.
    void AddRadio(const Json& radio, const std::map<std::string, std::pair<double, double>>& places) {
        auto positions = CreateObject<ListPositionAllocator>();
        NodeContainer nodes;
        for (auto& [name, place] : places) {
            nodes.Add(Find(name));
            positions->Add(Vector(place.first, place.second, 0));
        }
        MobilityHelper mobility;
        mobility.SetPositionAllocator(positions);
        mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
        mobility.Install(nodes);
        Config::SetDefault("ns3::WifiMac::FrameRetryLimit", UintegerValue(uint32_t(radio["transmissions"].Number())));
        uint32_t number = 0;
        for (auto& channel : radio["channels"].Items()) AddChannel(radio, channel, number++);
        NeighborCacheHelper().PopulateNeighborCache();
    }

    /// Lays a path through the nodes and back, with an address of its own at either end.
    std::pair<Ipv4Address, Ipv4Address> Lay(const Json& path, uint32_t channel) {
        auto& names = path.Items();
        Ptr<Node> first = Find(names.front().Text()), last = Find(names.back().Text());
        Ipv4Address from = Address(first), to = Address(last);
        for (size_t i = 0; i + 1 < names.size(); i++) {
            Step(Find(names[i].Text()), Find(names[i + 1].Text()), to, channel);
            Step(Find(names[i + 1].Text()), Find(names[i].Text()), from, channel);
        }
        Table(first)->SetSource(to, from);
        Table(last)->SetSource(from, to);
        return {from, to};
    }

  private:
    static std::string Whole(const Json& number) { return std::to_string(uint64_t(number.Number())); }

    static Ptr<PathRouting> Table(const Ptr<Node>& node) {
        return DynamicCast<PathRouting>(node->GetObject<Ipv4>()->GetRoutingProtocol());
    }

    static uint32_t Up(const Ptr<Node>& node, const Ptr<NetDevice>& device) {
        auto ip = node->GetObject<Ipv4>();
        uint32_t interface = ip->AddInterface(device);
        ip->SetMetric(interface, 1);
        ip->SetUp(interface);
        return interface;
    }

    Ipv4Address Address(const Ptr<Node>& node) {
        Ipv4Address address(m_next++);
        node->GetObject<Ipv4>()->AddAddress(1, Ipv4InterfaceAddress(address, Ipv4Mask("/32")));
        return address;
    }

    /// "red": "least" and "most" packets, "weight" of the newest length in the mean, "marks": 1 to mark those that ask for it.
    static void Mark(const Json& link, const Ptr<NetDevice>& device, double bps) {
        auto& red = link["red"];
        TrafficControlHelper control;
        control.SetRootQueueDisc(
            "ns3::RedQueueDisc", "MaxSize", StringValue(Whole(link["queue"]) + "p"), "MinTh", DoubleValue(red["least"].Number()),
            "MaxTh", DoubleValue(red["most"].Number()), "QW", DoubleValue(red["weight"].Number()), "UseEcn",
            BooleanValue(red.NumberOf("marks", 0) > 0), "UseHardDrop", BooleanValue(false), "Gentle",
            BooleanValue(red["most"].Number() > red["least"].Number()), "LInterm", DoubleValue(10), "MeanPktSize",
            UintegerValue(uint32_t(SIMULATED)), "LinkBandwidth", DataRateValue(DataRate(uint64_t(bps))));
        control.Install(device);
    }

    void AddChannel(const Json& radio, const Json& names, uint32_t number) {
        YansWifiChannelHelper air;
        air.SetPropagationDelay("ns3::ConstantSpeedPropagationDelayModel");
        air.AddPropagationLoss("ns3::RangePropagationLossModel", "MaxRange", DoubleValue(radio["range"].Number()));
        YansWifiPhyHelper physical;
        physical.SetChannel(air.Create());
        WifiHelper wifi;
        wifi.SetStandard(WIFI_STANDARD_80211b);
        wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue("DsssRate11Mbps"), "ControlMode",
                                     StringValue("DsssRate1Mbps"));
        WifiMacHelper mac;
        mac.SetType("ns3::AdhocWifiMac");
        for (auto& name : names.Items()) {
            Ptr<Node> node = Find(name.Text());
            uint32_t interface = Up(node, wifi.Install(physical, mac, node).Get(0));
            Ipv4Address address((10u << 24) + (255u << 16) + (number << 12) + node->GetId() + 1);
            node->GetObject<Ipv4>()->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("/20")));
            m_radios[{number, node->GetId()}] = {interface, address};
        }
    }

    void Step(const Ptr<Node>& at, const Ptr<Node>& next, Ipv4Address to, uint32_t channel) {
        auto link = m_interfaces.find({at->GetId(), next->GetId()});
        if (link != m_interfaces.end())
            Table(at)->Add(to, link->second, Ipv4Address::GetZero());
        else
            Table(at)->Add(to, m_radios.at({channel, at->GetId()}).first, m_radios.at({channel, next->GetId()}).second);
    }

    InternetStackHelper m_stack;
    std::map<std::string, Ptr<Node>> m_nodes;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_interfaces; // node, neighbour → interface
    std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, Ipv4Address>> m_radios; // channel, node → interface and address
    uint32_t m_next{(10u << 24) + 1};
};

} // namespace sim
