// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.subflow.mptcp.plan.InputException;

/**
 * Sizes of connections, payload in bytes: fixed, exponential, or by a cumulative distribution that is linear between its points.
 *
 * <p>{@code web-search} is the distribution measured in a production cluster that serves search (Alizadeh et al., "Data Center TCP",
 * SIGCOMM 2010, Figure 4). {@code data-mining} is that of a cluster for data mining (Greenberg et al., "VL2", SIGCOMM 2009, Figure
 * 2). The papers print them as curves. The points here are those by which pFabric simulated both (Alizadeh et al., SIGCOMM 2013,
 * section 5.1, Figure 4), in packets of 1,460 bytes; the means are 1.7 and 7.5 MB. Immutable.
 */
final class SizeDistribution {
    private static final double PACKET = 1460;
    private static final double[] WEB_SEARCH = {
            6, 0, 6, .15, 13, .2, 19, .3, 33, .4, 53, .53, 133, .6, 667, .7, 1333, .8, 3333, .9, 6667, .97, 20000, 1};
    private static final double[] DATA_MINING = {
            1, 0, 1, .5, 2, .6, 3, .7, 7, .8, 267, .9, 2107, .95, 66667, .99, 666667, 1};
    private static final double MOST_BYTES = 1e15;

    private final String name;
    private final double exponentialMean;
    private final double[] bytes;
    private final double[] probability;

    private SizeDistribution(String name, double exponentialMean, double[] bytes, double[] probability) {
        this.name = name;
        this.exponentialMean = exponentialMean;
        this.bytes = bytes;
        this.probability = probability;
    }

    /**
     * Reads what users type.
     *
     * @param text {@code web-search}, {@code data-mining}, {@code fixed:BYTES}, {@code exponential:BYTES}, or a file with a size in
     *             bytes and its cumulative probability in each line
     * @return the distribution
     * @throws InputException if it is none of these, or the file is wrong; the message names the line
     */
    static SizeDistribution parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        switch (kind) {
            case "web-search":
                return ofPackets(text, WEB_SEARCH);
            case "data-mining":
                return ofPackets(text, DATA_MINING);
            case "fixed":
                double size = size(text, text.substring(colon + 1));
                return new SizeDistribution(text, 0, new double[] {size, size}, new double[] {0, 1});
            case "exponential":
                return new SizeDistribution(text, size(text, text.substring(colon + 1)), null, null);
            default:
                return read(text);
        }
    }

    private static SizeDistribution ofPackets(String name, double[] points) {
        double[] bytes = new double[points.length / 2];
        double[] probability = new double[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = points[2 * i] * PACKET;
            probability[i] = points[2 * i + 1];
        }
        return new SizeDistribution(name, 0, bytes, probability);
    }

    private static double size(String where, String text) {
        double size = number(text);
        if (!(size >= 1 && size <= MOST_BYTES)) {
            throw new InputException("--sizes " + where + ": a size is 1 to 1e15 bytes, as in fixed:1000000 or exponential:1e6");
        }
        return size;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static SizeDistribution read(String file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(file));
        } catch (MalformedInputException e) {
            throw new InputException("--sizes " + file + ": it is no text in UTF-8", e);
        } catch (IOException | InvalidPathException e) {
            throw new InputException("--sizes " + file + ": no such file; give web-search, data-mining, fixed:BYTES, "
                    + "exponential:BYTES, or a file with lines of bytes and their cumulative probability", e);
        }
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceAll("#.*", "").trim();
            if (!line.isEmpty()) {
                points.add(point(file + ", line " + (i + 1) + ": ", line.split("[\\s,;]+"),
                        points.isEmpty() ? null : points.get(points.size() - 1)));
            }
        }
        if (points.isEmpty() || points.get(points.size() - 1)[1] != 1) {
            throw new InputException("--sizes " + file + ": the last line must have the probability 1");
        }
        if (points.get(0)[1] > 0) {
            points.add(0, new double[] {points.get(0)[0], 0});
        }
        return new SizeDistribution(file, 0, points.stream().mapToDouble(point -> point[0]).toArray(),
                points.stream().mapToDouble(point -> point[1]).toArray());
    }

    private static double[] point(String where, String[] words, double[] before) {
        double size = number(words[0]);
        double probability = words.length == 2 ? number(words[1]) : Double.NaN;
        if (!(size >= 0 && size <= MOST_BYTES && probability >= 0 && probability <= 1)) {
            throw new InputException("--sizes " + where + "expected a size of up to 1e15 bytes and a probability from 0 to 1");
        }
        if (before != null && (size < before[0] || probability < before[1])) {
            throw new InputException("--sizes " + where + "sizes and probabilities must not fall from line to line");
        }
        return new double[] {size, probability};
    }

    /** Returns the mean in bytes. */
    double mean() {
        double mean = exponentialMean;
        for (int i = 1; bytes != null && i < bytes.length; i++) {
            mean += (probability[i] - probability[i - 1]) * (bytes[i] + bytes[i - 1]) / 2;
        }
        return mean;
    }

    /** Draws a size in bytes, 1 or more: one random number each. */
    double draw(SplittableRandom random) {
        double u = random.nextDouble();
        if (bytes == null) {
            return Math.max(1, -Math.log(1 - u) * exponentialMean);
        }
        int i = 1;
        while (u >= probability[i] && i < probability.length - 1) {
            i++;
        }
        double part = probability[i] > probability[i - 1] ? (u - probability[i - 1]) / (probability[i] - probability[i - 1]) : 1;
        return Math.max(1, Math.rint(bytes[i - 1] + part * (bytes[i] - bytes[i - 1])));
    }

    /** Returns what users typed. */
    @Override
    public String toString() {
        return name;
    }
}
