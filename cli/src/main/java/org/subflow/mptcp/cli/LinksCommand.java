// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.cli.text.RatesText;
import org.subflow.mptcp.cli.text.Times;

/** Lists links with capacity, reservations of MPTCP subflows, measured rate, the part of it that others send, delay and shared risk; then those that have failed. */
@Service
@Command(scope = "onos", name = "mptcp-links", description = "Lists links and what MPTCP subflows reserve on them",
        detailedDescription = "Examples:\n  mptcp-links\n  mptcp-links -u -j")
public class LinksCommand extends NetworkCommand {
    private static final String FORMAT = "%-18s %-18s %9s %-17s %9s %9s %9s %8s %8s  %s";

    @Option(name = "-u", aliases = "--used", description = "Only links that MPTCP subflows use")
    private boolean used = false;

    @Override
    protected void run() {
        List<LinkUsage> links = get(MptcpService.class).links().stream()
                .filter(usage -> !used || usage.subflows() > 0).collect(Collectors.toList());
        list(links, usage -> jsonForEntity(usage, LinkUsage.class), () -> {
            print("Rates in Mbit/s.");
            print(FORMAT, "FROM", "TO", "CAPACITY", "SAID BY", "RESERVED", "MEASURED", "OTHERS", "SUBFLOWS", "DELAY ms",
                  "SRLG");
        }, this::tell);
        if (!outputJson()) {
            get(FailureService.class).links().forEach(this::tell);
        }
    }

    private void tell(LinkUsage usage) {
        OptionalDouble delay = usage.attributes().delayMillis();
        print("%s", String.format(Locale.ROOT, FORMAT, port(usage.link().src()), port(usage.link().dst()),
              RatesText.of(usage.capacity()), usage.attributes().source(),
              RatesText.of(usage.reserved()), RatesText.of(usage.measured()),
              RatesText.of(usage.others()), usage.subflows(),
              delay.isPresent() ? String.format(Locale.ROOT, "%.2f", delay.getAsDouble()) : "",
              String.join(",", usage.attributes().riskGroups())).stripTrailing());
    }

    private void tell(FailedLink failed) {
        print("%-18s %-18s %9s failed %s; %d connections had to leave it", port(failed.link().src()),
              port(failed.link().dst()), RatesText.of(failed.capacity()), Times.of(failed.sinceMillis()), failed.moved().size());
    }
}
