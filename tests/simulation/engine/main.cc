// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// Runs a scenario from standard input (JSON, as ../scenario.py writes it), and prints what came out (JSON). 2 and one line if it
// cannot.
#include "connection.h"
#include "network.h"

#include <functional>
#include <iostream>
#include <iterator>
#include <memory>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace sim {

/// Datagrams with Poisson gaps and sizes from 40 to 900 bytes, without end. They keep drop-tail queues from taking sides.
void AddNoise(Network& network, const Json& noise) {
    auto [from, to] = network.Lay(noise["path"], 0);
    auto socket = Socket::CreateSocket(network.Find(noise["path"].Items().front().Text()), UdpSocketFactory::GetTypeId());
    socket->Bind(InetSocketAddress(from, 0));
    socket->Connect(InetSocketAddress(to, 9));
    auto size = CreateObject<UniformRandomVariable>();
    auto gap = CreateObject<ExponentialRandomVariable>();
    // 470 bytes in the mean, and 28 of headers.
    gap->SetAttribute("Mean", DoubleValue((470 + 28) * 8 / (noise["mbps"].Number() * 1e6)));
    auto again = std::make_shared<std::function<void()>>();
    *again = [=] {
        socket->Send(Create<Packet>(size->GetInteger(40, 900)));
        Simulator::Schedule(Seconds(gap->GetValue()), [=] { (*again)(); });
    };
    Simulator::Schedule(Seconds(gap->GetValue()), [=] { (*again)(); });
}

void SetDefaults(const Json& tcp) {
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1u << 26));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1u << 26));
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", TypeIdValue(TcpNewReno::GetTypeId()));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(uint32_t(tcp["segment"].Number())));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(uint32_t(tcp["window"].Number())));
    // ns-3 holds an acknowledgement back for 200 ms, as long as the least time-out: a segment alone would run into it.
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(tcp["timeout"].Number())));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(Seconds(tcp["delayed"].Number())));
    // Of a SYN that is lost: 3 s in ns-3, Linux has 1 s beside its 200 ms.
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(Seconds(5 * tcp["timeout"].Number())));
    // ns-3's timestamps count milliseconds, and its round-trip times go by them where they are.
    Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(100)));
}

Connection::Choice ChoiceOf(const Json& scenario, const Json& connection) {
    Connection::Choice choice{nullptr,    TypeId(),
                              connection["scheduler"].Text() == "roundrobin",
                              connection["marks"].Number() > 0,
                              UINT64_MAX, uint64_t(connection["buffer"].Number())};
    if (connection["bytes"].Number() > 0) choice.size = uint64_t(connection["bytes"].Number());
    const std::string& control = connection["control"].Text();
    if (scenario["controls"].Has(control))
        choice.native = &LoadControl(scenario["controls"][control].Text());
    else if (!TypeId::LookupByNameFailSafe(control, &choice.own))
        throw std::runtime_error("no congestion control " + control);
    return choice;
}

Ptr<Connection> AddConnection(Network& network, const Json& scenario, const Json& connection, uint16_t port) {
    std::vector<Connection::Path> paths;
    for (auto& path : connection["paths"].Items()) {
        auto [from, to] = network.Lay(path["nodes"], uint32_t(path.NumberOf("channel", 0)));
        // Payload of what is expected on the wire.
        double payload = scenario["tcp"]["segment"].Number() / (scenario["tcp"]["segment"].Number() + 86);
        paths.push_back({from, to, uint32_t(path.NumberOf("expected", 0) * 1e6 / 8 * payload)});
    }
    auto& nodes = connection["paths"].Items().front()["nodes"].Items();
    auto made = Create<Connection>(network.Find(nodes.front().Text()), network.Find(nodes.back().Text()), paths,
                                   ChoiceOf(scenario, connection), port);
    Simulator::Schedule(Seconds(connection["start"].Number()), [made] { made->Start(); });
    return made;
}

void Print(const std::vector<Ptr<Connection>>& connections, const std::vector<std::vector<uint64_t>>& series) {
    std::cout.precision(12);
    std::cout << "{\"events\": " << Simulator::GetEventCount() << ", \"ended\": " << Simulator::Now().GetSeconds()
              << ", \"connections\": [";
    for (size_t i = 0; i < connections.size(); i++) {
        auto& one = *connections[i];
        std::cout << (i ? ",\n" : "\n") << "{\"started\": " << one.started << ", \"finished\": ";
        if (one.finished < 0) std::cout << "null";
        else std::cout << one.finished;
        std::cout << ", \"subflows\": [";
        for (size_t j = 0; j < one.Subflows(); j++) std::cout << (j ? ", " : "") << one.DeliveredOf(j);
        std::cout << "], \"rtts\": [";
        for (size_t j = 0; j < one.Subflows(); j++) std::cout << (j ? ", " : "") << one.RoundTripOf(j);
        std::cout << "], \"received\": [";
        for (auto bytes : series[i]) std::cout << bytes << ", ";
        std::cout << one.received << "]}";
    }
    std::cout << "]}" << std::endl;
}

void Run(const Json& scenario) {
    RngSeedManager::SetSeed(uint32_t(scenario["seed"].Number()));
    SetDefaults(scenario["tcp"]);
    Network network;
    for (auto& link : scenario["links"].Items()) network.AddLink(link);
    if (scenario.Has("radio")) {
        std::map<std::string, std::pair<double, double>> places;
        for (auto& place : scenario["radio"]["places"].Items())
            places[place["name"].Text()] = {place["x"].Number(), place["y"].Number()};
        network.AddRadio(scenario["radio"], places);
    }
    std::vector<Ptr<Connection>> connections;
    uint16_t port = 5000;
    for (auto& connection : scenario["connections"].Items())
        connections.push_back(AddConnection(network, scenario, connection, port = port == 65000 ? 5000 : port + 1));
    for (auto& noise : scenario["noise"].Items()) AddNoise(network, noise);

    double stop = scenario["stop"].Number(), sample = scenario["sample"].Number();
    std::vector<std::vector<uint64_t>> series(connections.size());
    // The last one is the end.
    for (double at = sample; sample > 0 && at < stop - sample / 2; at += sample)
        Simulator::Schedule(Seconds(at), [&] {
            for (size_t i = 0; i < connections.size(); i++) series[i].push_back(connections[i]->received);
        });
    size_t left = 0;
    for (size_t i = 0; i < connections.size(); i++)
        if (scenario["connections"].Items()[i]["bytes"].Number() > 0) {
            left++;
            connections[i]->onFinished = [&left, &scenario] {
                if (!--left && scenario["early"].Number() > 0) Simulator::Stop();
            };
        }
    Simulator::Stop(Seconds(stop));
    Simulator::Run();
    Print(connections, series);
    Simulator::Destroy();
}

} // namespace sim

int main(int count, char** words) {
    // It has no purpose without the process that asked, whose number is the argument: that may have ended before.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count > 1 && getppid() != std::atoi(words[1])) return 2;
    try {
        sim::Run(sim::Json::Read({std::istreambuf_iterator<char>(std::cin), {}}));
        return 0;
    } catch (const std::exception& failure) {
        std::cerr << "simulation: " << failure.what() << std::endl;
        return 2;
    }
}
