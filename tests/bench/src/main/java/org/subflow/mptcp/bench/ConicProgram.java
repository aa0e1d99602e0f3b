// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Proportional fairness as a conic program, solved by Clarabel in a Python program that waits for questions
 * ({@code tests/bench/conic.py}). A question and its answer are a line of text each. Problems are handed over before the clock
 * runs; rates are asked for after it has stopped.
 *
 * <p>Tried for 1,000 connections (processor time, beside other work): Clarabel with an accuracy of 10⁻⁴ is the fastest (0.4 s;
 * 1.1 s with 10⁻⁸). ECOS took 0.5 s, Ipopt with MUMPS 1.1 s. {@link LpTangents} takes seconds.
 */
final class ConicProgram implements ProportionalPeer {
    /** Names Python and the program, with the system's separator of paths between them. {@code ./lab bench} sets it. */
    static final String ENVIRONMENT = "MPTCP_BENCH_CONIC";

    private static final double MEGABIT = 1e6;
    private static final double EXACTNESS = 1e-4;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Process process;
    private final OutputStream questions;
    private final BufferedReader answers;
    private final List<SharingProblem> problems = new ArrayList<>();
    private SharingProblem last;
    private double limit;

    private ConicProgram(Process process) {
        this.process = process;
        this.questions = process.getOutputStream();
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Starts the program. */
    static ConicProgram start() {
        String named = System.getenv(ENVIRONMENT);
        if (named == null) {
            throw new IllegalStateException("run it with ./lab bench, which installs Clarabel and names it in " + ENVIRONMENT);
        }
        String[] words = named.split(File.pathSeparator);
        try {
            return new ConicProgram(new ProcessBuilder(words[0], "-I", words[1])
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void add(SharingProblem problem) {
        double[] megabits = new double[problem.arcCount()];
        Arrays.setAll(megabits, arc -> problem.capacity(arc) / MEGABIT);
        List<List<int[]>> connections = new ArrayList<>();
        for (int connection = 0; connection < problem.connectionCount(); connection++) {
            List<int[]> paths = new ArrayList<>();
            for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
                int[] arcs = new int[problem.hops(s)];
                for (int hop = 0; hop < arcs.length; hop++) {
                    arcs[hop] = problem.arc(s, hop);
                }
                paths.add(arcs);
            }
            connections.add(paths);
        }
        try {
            ask(MAPPER.writeValueAsString(Map.of("capacities", megabits, "connections", connections)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        problems.add(problem);
    }

    @Override
    public double solve(int number) {
        last = problems.get(number);
        limit = Double.parseDouble(ask("solve " + number));
        return limit;
    }

    @Override
    public Answer answer() {
        try {
            return new Answer(reached(last, MAPPER.readValue(ask("rates"), double[].class)), limit, EXACTNESS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns Σ log(rate) of rates in Mbit/s, by subflow, once they are scaled down to what all arcs carry. */
    static double reached(SharingProblem problem, double[] rates) {
        double[] loads = new double[problem.arcCount()];
        for (int s = 0; s < rates.length; s++) {
            for (int hop = 0; hop < problem.hops(s); hop++) {
                loads[problem.arc(s, hop)] += Math.max(0, rates[s]);
            }
        }
        double most = 1;
        for (int arc = 0; arc < loads.length; arc++) {
            most = Math.max(most, loads[arc] / (problem.capacity(arc) / MEGABIT));
        }
        double sum = 0;
        for (int connection = 0; connection < problem.connectionCount(); connection++) {
            double total = 0;
            for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
                total += Math.max(0, rates[s]);
            }
            sum += Math.log(total / most);
        }
        return sum;
    }

    private String ask(String question) {
        try {
            questions.write((question + "\n").getBytes(StandardCharsets.US_ASCII));
            questions.flush();
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("Clarabel's program has ended; its messages are above");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
    }
}
