// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// The agent's congestion controls, compiled for this machine (../native), as congestion controls of ns-3.
#pragma once

#include "ns3/internet-module.h"

#include "../native/adapter.h"

#include <dlfcn.h>
#include <map>
#include <stdexcept>

namespace sim {
using namespace ns3;

/// A control's program, once in this process.
inline const simulated_control& LoadControl(const std::string& file) {
    static std::map<std::string, const simulated_control*> loaded;
    auto& control = loaded[file];
    if (control) return *control;
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library) control = static_cast<const simulated_control*>(dlsym(library, "simulated_control"));
    if (!control) throw std::runtime_error(dlerror());
    return *control;
}

/// How much of the congestion window is used, as Linux notes it (tcp_cwnd_validate).
struct Usage {
    bool isLimited{false};
    uint32_t mostOut{0}; // packets
    SequenceNumber32 until{0};

    /// `limited`: whether more would be sent with a larger window; `bytes` that are under way.
    void Note(const TcpSocketState& state, bool limited, uint32_t bytes) {
        uint32_t out = (bytes + state.m_segmentSize - 1) / state.m_segmentSize;
        if (state.m_lastAckedSeq < until && !limited && (isLimited || out <= mostOut)) return;
        isLimited = limited;
        mostOut = out;
        until = state.m_highTxMark.Get();
    }
};

class NativeControl : public TcpCongestionOps {
  public:
    /// A subflow of `connection`; `expected`: bytes per second, 0 if nobody says. `usage` is read at each call.
    NativeControl(const simulated_control& control, void* connection, Ipv4Address from, Ipv4Address to, uint16_t port,
                  uint32_t expected, const Usage& usage)
        : m_control(control), m_usage(usage) {
        m_subflow = control.make(connection, __builtin_bswap32(from.Get()), __builtin_bswap32(to.Get()), port, expected);
    }
    NativeControl(const NativeControl&) = delete;
    ~NativeControl() override { m_control.end(m_subflow); }

    std::string GetName() const override { return "native"; }

    /// Of a control that needs marks all packets can be marked, SYNs and those that are sent again too, as in Linux (CONG_NEEDS_ECN).
    /// A queue that marks drops the others.
    void Init(Ptr<TcpSocketState> tcb) override {
        if (m_control.needs_marks()) tcb->m_ecnMode = TcpSocketState::DctcpEcn;
    }

    /// In the kernel's order: first the acknowledgement, then what it says of the round-trip time.
    void PktsAcked(Ptr<TcpSocketState> tcb, uint32_t acked, const Time&) override {
        if (m_isGone) return;
        if (!m_isBegun) {
            m_isBegun = true;
            Call(tcb, CONTROL_INIT, 0);
        }
        Call(tcb, CONTROL_ACK_EVENT, 0);
        m_delivered += acked;
        if (tcb->m_ecnState == TcpSocketState::ECN_ECE_RCVD) m_marked += acked;
        // ns-3 hands over the smoothed time, the kernel the last one.
        Call(tcb, CONTROL_ACKED, uint32_t(std::max<int64_t>(tcb->m_lastRtt.Get().GetMicroSeconds(), 1)));
    }

    void IncreaseWindow(Ptr<TcpSocketState> tcb, uint32_t acked) override {
        if (IsLive()) Call(tcb, CONTROL_GROW, acked);
    }

    uint32_t GetSsThresh(Ptr<const TcpSocketState> constant, uint32_t) override {
        auto tcb = ConstCast<TcpSocketState>(constant);
        m_prior = std::max(tcb->GetCwndInSegments(), 1u);
        if (!IsLive()) return std::max(m_prior / 2, 2u) * tcb->m_segmentSize;
        simulated now = Now(tcb);
        now.ssthresh = m_control.call(m_subflow, CONTROL_THRESHOLD, &now, 0);
        // ns-3 enters recovery before it asks for the threshold, the kernel afterwards.
        if (m_enters) m_control.call(m_subflow, CONTROL_STATE, &now, m_enters);
        m_enters = 0;
        return std::max(now.ssthresh, 2u) * tcb->m_segmentSize;
    }

    void CongestionStateSet(Ptr<TcpSocketState> tcb, const TcpSocketState::TcpCongState_t state) override {
        if (!IsLive()) return;
        if (state == TcpSocketState::CA_RECOVERY) {
            m_enters = KernelState(state);
            return;
        }
        simulated now = Now(tcb);
        m_control.call(m_subflow, CONTROL_STATE, &now, KernelState(state));
        tcb->m_ssThresh = Bytes(tcb, now.ssthresh);
    }

    /// At the end of the connection.
    void Release(Ptr<TcpSocketState> tcb) {
        if (IsLive()) Call(tcb, CONTROL_RELEASE, 0);
        m_isGone = true;
    }

    /// Of the receiver's socket, which sends nothing.
    Ptr<TcpCongestionOps> Fork() override { return Create<TcpNewReno>(); }

  private:
    bool IsLive() const { return m_isBegun && !m_isGone; }

    static uint32_t KernelState(TcpSocketState::TcpCongState_t state) {
        switch (state) {
            case TcpSocketState::CA_DISORDER: return 1;
            case TcpSocketState::CA_CWR: return 2;
            case TcpSocketState::CA_RECOVERY: return 3;
            case TcpSocketState::CA_LOSS: return 4;
            default: return 0;
        }
    }

    /// Packets; "infinite" stays what it is on either side.
    static uint32_t Packets(const Ptr<TcpSocketState>& tcb, uint32_t bytes) {
        return bytes >= UINT32_MAX / 2 ? INT32_MAX : bytes / tcb->m_segmentSize;
    }
    static uint32_t Bytes(const Ptr<TcpSocketState>& tcb, uint32_t packets) {
        return packets >= UINT32_MAX / 2 / tcb->m_segmentSize ? UINT32_MAX : packets * tcb->m_segmentSize;
    }

    simulated Now(const Ptr<TcpSocketState>& tcb) const {
        uint32_t cwnd = std::max(tcb->GetCwndInSegments(), 1u);
        return {.mss = tcb->m_segmentSize,
                .prior_cwnd = m_prior ? m_prior : cwnd,
                .max_packets_out = m_usage.mostOut,
                .snd_nxt = tcb->m_highTxMark.Get().GetValue(),
                .snd_una = tcb->m_lastAckedSeq.GetValue(),
                .delivered = m_delivered,
                .delivered_ce = m_marked,
                .srtt_us8 = uint32_t(tcb->m_srtt.Get().GetMicroSeconds() * 8),
                .is_cwnd_limited = m_usage.isLimited,
                .cwnd = cwnd,
                .ssthresh = Packets(tcb, tcb->m_ssThresh),
                .now_us = uint64_t(Simulator::Now().GetMicroSeconds())};
    }

    void Call(const Ptr<TcpSocketState>& tcb, int what, uint32_t x) {
        simulated before = Now(tcb), now = before;
        m_control.call(m_subflow, what, &now, x);
        // A window between two packets, as of ns-3's recovery, stays there unless it is changed.
        if (now.cwnd != before.cwnd) tcb->m_cWnd = now.cwnd * tcb->m_segmentSize;
        if (now.ssthresh != before.ssthresh) tcb->m_ssThresh = Bytes(tcb, now.ssthresh);
    }

    const simulated_control& m_control;
    const Usage& m_usage;
    void* m_subflow;
    uint32_t m_delivered{0}, m_marked{0}, m_prior{0}, m_enters{0};
    bool m_isBegun{false}, m_isGone{false};
};

} // namespace sim
