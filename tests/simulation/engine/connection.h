// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// MPTCP as a layer over TCP sockets: a data sequence, one receive buffer, DATA_ACK, a scheduler (RFC 8684, section 3.3). Both ends
// are one object. What a real connection has in its options goes beside the packets: mappings in a queue that is read in order,
// the DATA_ACK as a tag, which takes as long as its packet.
#pragma once

#include "control.h"

#include <deque>

namespace sim {

struct DataAck : Tag {
    uint64_t value{0}, room{0};
    static TypeId GetTypeId() {
        static TypeId id = TypeId("sim::DataAck").SetParent<Tag>().AddConstructor<DataAck>();
        return id;
    }
    TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    uint32_t GetSerializedSize() const override { return 16; }
    void Serialize(TagBuffer to) const override {
        to.WriteU64(value);
        to.WriteU64(room);
    }
    void Deserialize(TagBuffer from) override {
        value = from.ReadU64();
        room = from.ReadU64();
    }
    void Print(std::ostream& to) const override { to << value; }
};

class SubflowSocket : public TcpSocketBase {
  public:
    /// Bytes that this subflow may be given now: one segment more than its window has room for, so that the window is full.
    int64_t Room() const {
        return m_state == ESTABLISHED ? int64_t(AvailableWindow()) + m_tcb->m_segmentSize - Unsent() : 0;
    }

    /// Notes how much of the window is used. What it was given now leaves in the next instant.
    void NoteUsage(Usage& usage) const {
        usage.Note(*m_tcb, Room() < int64_t(m_tcb->m_segmentSize), BytesInFlight() + std::min(Unsent(), AvailableWindow()));
    }

    Ptr<TcpSocketState> State() const { return m_tcb; }

  private:
    void ProcessAck(const SequenceNumber32& number, bool isUpdated, uint32_t delivered, const SequenceNumber32& before,
                    bool hasData) override {
        // ns-3 keeps its count of duplicates from CWR to Open, and stops the program at the next one.
        if (m_tcb->m_congState == TcpSocketState::CA_OPEN) m_dupAckCount = 0;
        TcpSocketBase::ProcessAck(number, isUpdated, delivered, before, hasData);
    }

    uint32_t Unsent() const { return m_txBuffer->SizeFromSequence(m_tcb->m_nextTxSequence); }
};

class Connection : public SimpleRefCount<Connection> {
  public:
    struct Path {
        Ipv4Address from, to;
        uint32_t expected; // bytes per second, 0 if nobody says
    };
    struct Choice {
        const simulated_control* native; // nullptr: ns-3's own, which `own` names
        TypeId own;
        bool isRoundRobin, asksForMarks;
        uint64_t size, buffer; // bytes
    };

    double started{-1}, finished{-1}; // seconds
    uint64_t received{0};             // in order until here
    std::function<void()> onFinished;

    Connection(Ptr<Node> client, Ptr<Node> server, const std::vector<Path>& paths, const Choice& choice, uint16_t port)
        : m_server(server), m_choice(choice), m_port(port), m_allowed(choice.buffer) {
        m_needsMarks = choice.asksForMarks || (choice.native && choice.native->needs_marks());
        auto tcp = client->GetObject<TcpL4Protocol>();
        uint16_t own = 1;
        for (auto& path : paths) {
            auto& one = m_subflows.emplace_back();
            one.path = path;
            one.socket = CreateObject<SubflowSocket>();
            one.socket->SetNode(client);
            one.socket->SetTcp(tcp);
            one.socket->SetRtt(CreateObject<RttMeanDeviation>());
            if (choice.native) {
                one.control = Create<NativeControl>(*choice.native, this, path.from, path.to, own++, path.expected, one.usage);
                one.socket->SetCongestionControlAlgorithm(one.control);
            } else {
                ObjectFactory factory;
                factory.SetTypeId(choice.own);
                one.socket->SetCongestionControlAlgorithm(factory.Create<TcpCongestionOps>());
            }
            one.socket->SetRecoveryAlgorithm(CreateObject<TcpPrrRecovery>());
            one.socket->SetUseEcn(m_needsMarks ? TcpSocketState::On : TcpSocketState::Off);
            tcp->AddSocket(one.socket);
        }
    }

    void Start() {
        started = Simulator::Now().GetSeconds();
        for (auto& one : m_subflows) Listen(one);
        Connect(m_subflows.front());
    }

    /// Bytes that subflow `index` has delivered.
    uint64_t DeliveredOf(size_t index) const { return m_subflows[index].delivered; }
    /// Its smoothed round-trip time, in seconds.
    double RoundTripOf(size_t index) const { return m_subflows[index].socket->State()->m_srtt.Get().GetSeconds(); }
    size_t Subflows() const { return m_subflows.size(); }

  private:
    struct Subflow {
        Path path;
        Ptr<SubflowSocket> socket;
        Ptr<NativeControl> control;
        Usage usage;
        Ptr<Socket> listener;
        std::deque<std::pair<uint64_t, uint32_t>> mapping; // data sequence and length of what is under way, in order
        uint64_t delivered{0};
    };

    void Listen(Subflow& one) {
        // A receiver that echoes marks one by one needs DCTCP's socket.
        auto type = m_needsMarks ? TypeId::LookupByName("ns3::TcpDctcp") : TcpNewReno::GetTypeId();
        one.listener = m_server->GetObject<TcpL4Protocol>()->CreateSocket(type);
        DynamicCast<TcpSocketBase>(one.listener)->SetUseEcn(m_needsMarks ? TcpSocketState::On : TcpSocketState::Off);
        one.listener->Bind(InetSocketAddress(one.path.to, m_port));
        one.listener->Listen();
        one.listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([this, &one](Ptr<Socket> peer, const Address&) { Accepted(one, peer); }));
    }

    void Connect(Subflow& one) {
        one.socket->Bind(InetSocketAddress(one.path.from, 0));
        one.socket->SetConnectCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket>) { Connected(); }),
                                       Callback<void, Ptr<Socket>>([](Ptr<Socket>) {}));
        one.socket->TraceConnectWithoutContext(
            "Rx", Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
                      [this](Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>) { Answered(packet); }));
        one.socket->Connect(InetSocketAddress(one.path.to, m_port));
    }

    /// A join needs the first subflow, as of which both ends know the keys.
    void Connected() {
        if (!m_isJoined) {
            m_isJoined = true;
            for (auto& other : m_subflows)
                if (&other != &m_subflows.front()) Connect(other);
        }
        Pump();
    }

    void Answered(const Ptr<const Packet>& packet) {
        DataAck tag;
        if (packet->PeekPacketTag(tag)) m_allowed = std::max(m_allowed, tag.value + tag.room);
        if (m_isPending || finished >= 0) return;
        m_isPending = true;
        // After the socket has read the packet itself.
        Simulator::ScheduleNow([this] {
            m_isPending = false;
            Pump();
        });
    }

    void Pump() {
        while (m_next < m_choice.size && m_next < m_allowed) {
            Subflow* to = Choose();
            if (!to) break;
            auto length = uint32_t(std::min<uint64_t>({to->socket->State()->m_segmentSize, m_choice.size - m_next, m_allowed - m_next}));
            to->mapping.emplace_back(m_next, length);
            if (to->socket->Send(Create<Packet>(length), 0) != int(length)) {
                to->mapping.pop_back();
                break;
            }
            m_next += length;
        }
        for (auto& one : m_subflows) one.socket->NoteUsage(one.usage);
    }

    /// Of the subflows that have room, that with the least round-trip time, or the next in turn; nullptr if none has.
    Subflow* Choose() {
        Subflow* best = nullptr;
        for (size_t i = 0; i < m_subflows.size(); i++) {
            size_t index = m_choice.isRoundRobin ? (m_turn + i) % m_subflows.size() : i;
            auto& one = m_subflows[index];
            if (one.socket->Room() < int64_t(one.socket->State()->m_segmentSize)) continue;
            if (m_choice.isRoundRobin) {
                m_turn = index + 1;
                return &one;
            }
            if (!best || one.socket->State()->m_srtt.Get() < best->socket->State()->m_srtt.Get()) best = &one;
        }
        return best;
    }

    void Accepted(Subflow& one, Ptr<Socket> peer) {
        peer->TraceConnectWithoutContext(
            "Tx", Callback<void, Ptr<const Packet>, const TcpHeader&, Ptr<const TcpSocketBase>>(
                      [this](Ptr<const Packet> packet, const TcpHeader&, Ptr<const TcpSocketBase>) {
                          DataAck tag;
                          tag.value = received;
                          tag.room = m_choice.buffer;
                          packet->AddPacketTag(tag);
                      }));
        peer->SetRecvCallback(Callback<void, Ptr<Socket>>([this, &one](Ptr<Socket> from) {
            while (auto packet = from->Recv()) Arrived(one, packet->GetSize());
        }));
    }

    /// A subflow's bytes come in its order, so that the first mappings are theirs.
    void Arrived(Subflow& one, uint32_t length) {
        one.delivered += length;
        while (length) {
            auto& [from, mapped] = one.mapping.front();
            uint32_t part = std::min(length, mapped);
            auto& end = m_waiting[from];
            end = std::max(end, from + part);
            from += part;
            mapped -= part;
            length -= part;
            if (!mapped) one.mapping.pop_front();
        }
        while (!m_waiting.empty() && m_waiting.begin()->first <= received) {
            received = std::max(received, m_waiting.begin()->second);
            m_waiting.erase(m_waiting.begin());
        }
        if (received >= m_choice.size && finished < 0) Finish();
    }

    void Finish() {
        finished = Simulator::Now().GetSeconds();
        // The program goes on until the last acknowledgements are there.
        for (auto& one : m_subflows)
            if (one.control) one.control->Release(one.socket->State());
        if (onFinished) onFinished();
    }

    Ptr<Node> m_server;
    Choice m_choice;
    uint16_t m_port;
    std::deque<Subflow> m_subflows; // its members stay where they are
    uint64_t m_next{0}, m_allowed;  // of the data sequence: the first that was not given out, the first that must not be
    std::map<uint64_t, uint64_t> m_waiting; // not in order: from → end
    bool m_needsMarks{false}, m_isJoined{false}, m_isPending{false};
    size_t m_turn{0};
};

} // namespace sim
