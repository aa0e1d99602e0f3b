// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** {@code java -jar onos-mptcp-farm.jar HOST PORT SWITCHES SUBFLOWS BYTES_PER_SECOND CONFIRM_MILLIS SEED}, with commands on standard input. */
public final class Main {
    private static final int USAGE = 2;
    private static final int ARGUMENTS = 7;

    private Main() {
    }

    /** Runs a farm until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        Loop loop = new Loop();
        Console console;
        try {
            console = console(List.of(arguments), loop);
        } catch (IllegalArgumentException e) {
            System.err.println("farm: " + e.getMessage());
            System.exit(USAGE);
            return;
        }
        Thread reader = new Thread(() -> read(console, loop), "commands");
        reader.setDaemon(true);
        reader.start();
        loop.run();
    }

    private static void read(Console console, Loop loop) {
        try {
            console.read(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            System.err.println("farm: " + e);
        }
        loop.end();
    }

    private static Console console(List<String> arguments, Loop loop) throws IOException {
        if (arguments.size() != ARGUMENTS) {
            throw new IllegalArgumentException("seven arguments are wanted, not " + arguments.size());
        }
        Farm farm = new Farm(new Fabric(Integer.parseInt(arguments.get(2))), loop, Double.parseDouble(arguments.get(5)));
        Traffic traffic = new Traffic(farm, loop, Integer.parseInt(arguments.get(3)), Long.parseLong(arguments.get(4)),
                                      Long.parseLong(arguments.get(6)));
        farm.connect(new InetSocketAddress(arguments.get(0), Integer.parseInt(arguments.get(1))));
        return new Console(farm, traffic, loop, System.out);
    }
}
