// SPDX-License-Identifier: Apache-2.0
package org.osgi.framework;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Takes the place of OSGi's class of this name in unit tests, where no framework runs. ONOS's service directory asks it
 * for the bundle of a service's class, and looks the service up there. Here one bundle holds what a test offers.
 */
public final class FrameworkUtil {
    private static final Map<Class<?>, Object> SERVICES = new ConcurrentHashMap<>();
    private static final BundleContext CONTEXT = stand(BundleContext.class, FrameworkUtil::context);
    private static final Bundle BUNDLE = stand(Bundle.class, FrameworkUtil::bundle);

    private FrameworkUtil() {
    }

    /** Offers a service in place of the one offered before. */
    public static <T> void offer(Class<T> type, T service) {
        SERVICES.put(type, service);
    }

    /** Offers a service no more. */
    public static void withdraw(Class<?> type) {
        SERVICES.remove(type);
    }

    /** Offers nothing any more. */
    public static void withdrawAll() {
        SERVICES.clear();
    }

    /** Returns the one bundle for classes of ONOS and of ours, null for all others. */
    public static Bundle getBundle(Class<?> type) {
        String name = type.getName();
        return name.startsWith("org.onosproject.") || name.startsWith("org.subflow.") ? BUNDLE : null;
    }

    private static Object bundle(String method, Object[] arguments) {
        switch (method) {
            case "getBundleContext":
                return CONTEXT;
            case "getVersion":
                return new Version(1, 2, 3);
            default:
                throw new UnsupportedOperationException(method);
        }
    }

    private static Object context(String method, Object[] arguments) {
        switch (method) {
            case "getServiceReference":
                Object service = SERVICES.get(arguments[0]);
                return service == null ? null : stand(ServiceReference.class, (name, none) -> service);
            case "getService":
                return ((ServiceReference<?>) arguments[0]).getProperty("service");
            default:
                throw new UnsupportedOperationException(method);
        }
    }

    private static <T> T stand(Class<T> type, BiFunction<String, Object[], Object> answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> answer.apply(method.getName(), arguments)));
    }
}
