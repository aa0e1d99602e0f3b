// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Says where a controller's time went, by the execution samples of a Java Flight Recorder file: {@code Profile FILE} prints JSON. A
 * sample belongs to whose code runs: the innermost frame that is neither Java's nor a library's decides. {@code Profile FILE stacks}
 * prints how many samples each stack had, without frames of Java and libraries, as flame graphs are drawn from them.
 */
public final class Profile {
    private static final int MOST_NAMED = 15;
    private static final String OURS = "org.subflow.mptcp.";
    private static final String SOUTHBOUND = "org.subflow.mptcp.southbound.";
    /** Both have a copy of it. */
    private static final String SHARED = "org.subflow.mptcp.frame.";

    private final Map<String, Integer> owners = new LinkedHashMap<>();
    private final Map<String, Integer> methods = new HashMap<>();
    private final Map<String, Integer> threads = new HashMap<>();
    private final Map<String, Integer> stacks = new TreeMap<>();
    private int samples;
    /** ONOS's code that ours has called. */
    private int called;

    private Profile() {
        for (String owner : new String[] {"application", "southbound", "onos", "other"}) {
            owners.put(owner, 0);
        }
    }

    /** Prints the summary of a file. */
    public static void main(String[] arguments) throws IOException {
        Profile profile = new Profile();
        try (RecordingFile file = new RecordingFile(Path.of(arguments[0]))) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getEventType().getName().equals("jdk.ExecutionSample") && event.getStackTrace() != null) {
                    profile.add(event);
                }
            }
        }
        System.out.println(arguments.length > 1 ? json(profile.stacks) : profile.json());
    }

    private void add(RecordedEvent event) {
        samples++;
        String owner = "other";
        boolean isOursBelow = false;
        Deque<String> stack = new ArrayDeque<>();
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            RecordedMethod method = frame.getMethod();
            String type = method.getType().getName();
            String here = owner(type);
            if (here.equals("application")) {
                isOursBelow = true;
            }
            String name = here + ":" + frame(type, method.getName());
            if (!here.equals("other") && !name.equals(stack.peekFirst())) {
                stack.addFirst(name);
            }
            if (owner.equals("other") && !here.equals("other")) {
                owner = here;
                methods.merge(type + "." + method.getName(), 1, Integer::sum);
            }
        }
        owners.merge(owner, 1, Integer::sum);
        called += isOursBelow && owner.equals("onos") ? 1 : 0;
        RecordedThread thread = event.getThread("sampledThread");
        String kind = thread == null || thread.getJavaName() == null ? "?" : kind(thread.getJavaName());
        threads.merge(kind, 1, Integer::sum);
        stack.addFirst("other:" + kind.replace(';', ' '));
        stacks.merge(String.join(";", stack), 1, Integer::sum);
    }

    /** {@return a method's name with its class's; a lambda expression has that of the method in which it stands} */
    static String frame(String type, String method) {
        String outer = type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
        return outer + "." + method.replaceAll("^lambda\\$(.+)\\$\\d+$", "$1");
    }

    /** {@return whose a class is} */
    static String owner(String type) {
        if (type.startsWith(SOUTHBOUND)) {
            return "southbound";
        }
        if (type.startsWith(OURS) && !type.startsWith(SHARED)) {
            return "application";
        }
        return type.startsWith("org.onosproject.") || type.startsWith("org.onlab.") || type.startsWith("io.atomix.")
                || type.startsWith("org.projectfloodlight.") ? "onos" : "other";
    }

    /** {@return a thread's name without its number} */
    static String kind(String thread) {
        return thread.replaceAll("[-#]?\\d+$", "");
    }

    private String json() {
        return "{\"samples\": " + samples + ", \"called\": " + called + ", \"owners\": " + json(owners) + ", \"methods\": "
                + json(most(methods)) + ", \"threads\": " + json(most(threads)) + "}";
    }

    private static Map<String, Integer> most(Map<String, Integer> counts) {
        Map<String, Integer> found = new LinkedHashMap<>();
        counts.entrySet().stream().sorted(Map.Entry.<String, Integer>comparingByValue().reversed()).limit(MOST_NAMED)
                .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        return found;
    }

    private static String json(Map<String, Integer> counts) {
        return counts.entrySet().stream().map(entry -> "\"" + entry.getKey().replace("\"", "'") + "\": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
