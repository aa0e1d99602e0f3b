// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.subflow.mptcp.plan.TextTable;

/** All runs as JSON, as tidy CSV or as a table. The same runs give the same text. */
final class Report {
    /** The figures of a group that JSON has as means. */
    private static final List<String> MEANS = List.of("meanSeconds", "medianSeconds", "p99Seconds", "goodputMbps", "connectionMbps",
            "fairness", "meanUtilisation", "largestUtilisation", "movesPerSecond", "rulesPerSecond", "sumFraction", "smallestFraction",
            "meanError");
    /** The figures of the first run at the top of JSON. */
    private static final List<String> FIRST = List.of("meanSeconds", "p99Seconds", "goodputMbps", "moves");
    private static final String HEAD = "strategy,allocator,model,seed,part,number,figure,value\n";

    private final Map<String, String> about;
    private final List<RunKey> keys = new ArrayList<>();
    private final List<Summary> summaries = new ArrayList<>();

    /**
     * Starts a report.
     *
     * @param about what all runs have in common: names and values as text; not null
     */
    Report(Map<String, String> about) {
        this.about = about;
    }

    void add(RunKey key, Summary summary) {
        keys.add(key);
        summaries.add(summary);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    String as(String format) throws IOException {
        return format.equals("json") ? json(null) : format.equals("csv") ? csv() : table();
    }

    String csv() {
        StringBuilder text = new StringBuilder(HEAD);
        for (int run = 0; run < keys.size(); run++) {
            text.append(rows(keys.get(run), summaries.get(run)));
        }
        return text.toString();
    }

    /** Returns one run as CSV with its heading. */
    static String csv(RunKey key, Summary summary) {
        return HEAD + rows(key, summary);
    }

    private static String rows(RunKey key, Summary summary) {
        StringBuilder text = new StringBuilder();
        String begin = key.group() + "," + key.seed;
        rows(text, begin + ",run,0,", summary.figures);
        for (int i = 0; i < summary.sizes.size(); i++) {
            rows(text, begin + ",size," + i + ",", summary.sizes.get(i));
        }
        for (int i = 0; i < summary.snapshots.size(); i++) {
            rows(text, begin + ",snapshot," + i + ",", summary.snapshots.get(i));
        }
        return text.toString();
    }

    private static void rows(StringBuilder text, String begin, Map<String, Double> figures) {
        figures.forEach((name, value) -> text.append(begin).append(name).append(',').append(number(value)).append('\n'));
    }

    /** Returns whole numbers without a point, and nothing for what is not a number. */
    private static String number(double value) {
        return Double.isNaN(value) ? "" : value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value)
                : Double.toString(value);
    }

    /** Returns all as JSON: the figures of the first run, with its connections if they are given, and the report of all runs. */
    String json(ConnectionTable connections) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
            json.writeStartObject();
            if (connections != null) {
                connections.write(json);
            }
            writeKey(json, keys.get(0));
            json.writeNumberField("seed", keys.get(0).seed);
            for (String name : FIRST) {
                writeFigure(json, name, summaries.get(0).figures.get(name));
            }
            json.writeObjectFieldStart("about");
            for (Map.Entry<String, String> entry : about.entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            writeMeans(json);
            json.writeArrayFieldStart("runs");
            for (int run = 0; run < keys.size(); run++) {
                json.writeStartObject();
                writeKey(json, keys.get(run));
                json.writeNumberField("seed", keys.get(run).seed);
                writeFigures(json, summaries.get(run).figures);
                writeList(json, "sizes", summaries.get(run).sizes);
                writeList(json, "snapshots", summaries.get(run).snapshots);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.append("\n").toString();
    }

    private void writeMeans(JsonGenerator json) throws IOException {
        Comparison comparison = new Comparison(keys, summaries);
        json.writeArrayFieldStart("means");
        for (RunKey group : comparison.groups()) {
            json.writeStartObject();
            writeKey(json, group);
            for (String name : MEANS) {
                writeInterval(json, name, comparison.figure(group, name));
            }
            writeInterval(json, "meanSecondsToFirst", comparison.ratio(group, "meanSeconds"));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeKey(JsonGenerator json, RunKey key) throws IOException {
        json.writeStringField("strategy", key.strategy);
        json.writeStringField("allocator", key.allocator);
        json.writeStringField("model", key.model);
    }

    private static void writeInterval(JsonGenerator json, String name, double[] interval) throws IOException {
        json.writeObjectFieldStart(name);
        writeFigure(json, "mean", Summary.rounded(interval[0]));
        writeFigure(json, "halfWidth", Summary.rounded(interval[1]));
        json.writeEndObject();
    }

    private static void writeList(JsonGenerator json, String name, List<Map<String, Double>> list) throws IOException {
        json.writeArrayFieldStart(name);
        for (Map<String, Double> one : list) {
            json.writeStartObject();
            writeFigures(json, one);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeFigures(JsonGenerator json, Map<String, Double> figures) throws IOException {
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            writeFigure(json, figure.getKey(), figure.getValue());
        }
    }

    static void writeFigure(JsonGenerator json, String name, double value) throws IOException {
        if (Double.isNaN(value)) {
            json.writeNullField(name);
        } else {
            json.writeFieldName(name);
            json.writeNumber(number(value));
        }
    }

    String table() throws IOException {
        Comparison comparison = new Comparison(keys, summaries);
        StringWriter text = new StringWriter();
        about.forEach((name, value) -> text.append(name).append(": ").append(value).append("; "));
        text.getBuffer().setLength(Math.max(0, text.getBuffer().length() - 2));
        text.append("\n\n");
        TextTable times = new TextTable("strategy", "allocator", "model", "#mean s", "#to first", "#median s", "#99 % s", "#≤ 100 kB",
                "#≤ 10 MB", "#larger", "#finished", "#blocked", "#left");
        TextTable network = new TextTable("strategy", "allocator", "model", "#goodput Mbit/s", "#Jain", "#mean use", "#most use",
                "#moves/s", "#rules/s", "#of best sum", "#of smallest", "#error");
        for (RunKey group : comparison.groups()) {
            times.row(group.strategy, group.allocator, group.model, told(comparison.figure(group, "meanSeconds")),
                    told(comparison.ratio(group, "meanSeconds")), mean(comparison, group, "medianSeconds"),
                    told(comparison.figure(group, "p99Seconds")), size(group, 0), size(group, 1), size(group, 2),
                    sum(group, "finished"), sum(group, "blocked"), sum(group, "unfinished"));
            network.row(group.strategy, group.allocator, group.model, mean(comparison, group, "goodputMbps"),
                    mean(comparison, group, "fairness"), mean(comparison, group, "meanUtilisation"),
                    mean(comparison, group, "largestUtilisation"), mean(comparison, group, "movesPerSecond"),
                    mean(comparison, group, "rulesPerSecond"), mean(comparison, group, "sumFraction"),
                    mean(comparison, group, "smallestFraction"), mean(comparison, group, "meanError"));
        }
        times.write(text);
        text.append("\n");
        network.write(text);
        return text.toString();
    }

    private static String mean(Comparison comparison, RunKey group, String name) {
        return digits(comparison.figure(group, name)[0]);
    }

    /** Returns the mean time of a class of size over all seeds. */
    private String size(RunKey group, int number) {
        double sum = 0;
        int runs = 0;
        for (int run = 0; run < keys.size(); run++) {
            double mean = summaries.get(run).sizes.get(number).get("meanSeconds");
            if (keys.get(run).group().equals(group.group()) && !Double.isNaN(mean)) {
                sum += mean;
                runs++;
            }
        }
        return runs == 0 ? "–" : digits(sum / runs);
    }

    private String sum(RunKey group, String name) {
        double sum = 0;
        for (int run = 0; run < keys.size(); run++) {
            sum += keys.get(run).group().equals(group.group()) ? summaries.get(run).figures.get(name) : 0;
        }
        return number(sum);
    }

    private static String told(double[] interval) {
        return digits(interval[0]) + (Double.isNaN(interval[1]) ? "" : " ± " + digits(interval[1]));
    }

    /** Returns a number to four digits or so. */
    private static String digits(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        int places = value == 0 ? 3 : (int) Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(value)))));
        return String.format(Locale.ROOT, "%." + places + "f", value);
    }
}
